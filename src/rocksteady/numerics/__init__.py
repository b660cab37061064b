"""What all compiled code shares. It imports nothing else of this package.

decorators     every decorator that compiles, and when to use which
fusing         products and sums rounded once, the same bits on every processor
fingerprint    a digest of a function and all it is built from
cache          compiled drivers on disk
turns          of several processes, one compiles a driver
trig           sine and cosine
roots          Newton's method inside a bracket
types          array types for annotations
"""
