"""Work shared by threads, with the results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD = 4  # jobs for each thread that are begun before their results are asked for


def in_order(work: Callable[[Job], Result], jobs: Iterable[Job], threads: int) -> Iterator[Result]:
    """``work(job)`` for each job, in the order of the jobs, on so many threads.

    A job is taken only when it is soon to begin, so that results do not pile up. With one thread
    all is done by the caller's.
    """
    if threads == 1:
        yield from map(work, jobs)
        return
    jobs = iter(jobs)
    pool = ThreadPoolExecutor(threads)
    try:
        waiting: deque[Future[Result]] = deque(
            pool.submit(work, job) for job in islice(jobs, AHEAD * threads)
        )
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(work, job) for job in islice(jobs, 1))
            yield result
    finally:
        pool.shutdown(cancel_futures=True)
