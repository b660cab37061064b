/** Questions of which only the latest matters: while one is answered, others replace each other. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { ApiError } from "../api";

interface Asker<Question, Answer> {
  /** The last answer; it stays until the next is there. */
  answer: ReadonlySignal<Answer | null>;
  problem: ReadonlySignal<string>;
  busy: ReadonlySignal<boolean>;
  ask: (question: Question) => void;
  /** Forget the question that waits, and the answer. */
  forget: () => void;
}

export function asker<Question, Answer>(send: (question: Question) => Promise<Answer>): Asker<Question, Answer> {
  const answer = signal<Answer | null>(null);
  const problem = signal("");
  const busy = signal(false);
  let next: { question: Question } | null = null;
  let turn = 0;

  const work = async () => {
    busy.value = true;
    while (next) {
      const { question } = next;
      const own = ++turn;
      next = null;
      try {
        const found = await send(question);
        if (own !== turn) continue;
        answer.value = found;
        problem.value = "";
      } catch (error) {
        if (own === turn && !next) problem.value = error instanceof ApiError ? error.message : String(error);
      }
    }
    busy.value = false;
  };

  return {
    answer,
    problem,
    busy,
    ask: (question) => {
      next = { question };
      if (!busy.peek()) void work();
    },
    forget: () => {
      next = null;
      turn++;
      answer.value = null;
      problem.value = "";
    },
  };
}
