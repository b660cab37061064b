"""Long questions, answered in the background: each job is a child process with a folder of its own.

What a job has shown is on the disk before it is announced. A page that is closed, a child that
crashes or a server that is killed loses none of it: the job is found again by its id, and goes on
from there.
"""
