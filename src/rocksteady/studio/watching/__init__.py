"""Monitors that run elsewhere on this machine, or a demonstration, watched by the page.

Nothing is written into a monitor's folder, and nothing in it is locked.
"""
