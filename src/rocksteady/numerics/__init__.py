"""What all compiled code shares: decorators, disk cache, fused arithmetic, sine and cosine, roots.

It imports nothing of ours.
"""
