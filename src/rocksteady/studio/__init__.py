"""Rocksteady Studio: a page on the local machine, and the server behind it.

`app.create_app` makes the server. Questions that are answered at once go to child processes
(`workers`), which run the functions in `answers/`; each file in `routes/` is one address and its
documentation. The page itself is built from `web/` into `page/`.
"""
