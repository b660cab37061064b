"""One contact with Coulomb friction, solved exactly.

The velocity of the point that touches is u = G λ + f: λ is the impulse on the body, per unit mass
(a velocity, x, y, z with z the normal), G a symmetric positive matrix, f what u is without it.
Wanted is the one of these that holds:

    open    λ = 0,                                   u_z ≥ target
    sticks  |λ_T| ≤ μ λ_z,                           u = (0, 0, target)
    slips   |λ_T| = μ λ_z,  λ_T = −σ u_T, σ ≥ 0,     u_z = target

With u_z = target, λ_z is a linear function of λ_T, and u_T = A λ_T + b. A contact that slips has
λ_T(s) = −(A + s)⁻¹ b for the one unknown s = 1/σ > 0, at which |λ_T| = μ λ_z. At s = 0, where it
would stick, the left is too large; for large s it goes to zero while the right does not: the root
is bracketed, whatever G is.
"""

import math

from rocksteady.numerics.decorators import fused_kernel
from rocksteady.numerics.triples import apply, inverse

OPEN, STICKS, SLIPS = 0, 1, 2
ITERATIONS = 60


@fused_kernel
def one_contact(G, f, target, mu):  # type: ignore[no-untyped-def]
    """(λ, what the contact does)."""
    k = target - f[2]
    if k <= 0:
        return (0.0, 0.0, 0.0), OPEN
    x, y, z = apply(inverse(G), (-f[0], -f[1], k))
    if z >= 0 and x * x + y * y <= mu * mu * (z * z):
        return (x, y, z), STICKS
    return slipping(G, f, k, mu), SLIPS


@fused_kernel
def slipping(G, f, k, mu):  # type: ignore[no-untyped-def]
    """λ of a contact that slips; k > 0: what is missing to its normal velocity."""
    xx, yy, zz, xy, xz, yz = G
    over = 1 / zz
    if mu == 0:
        return 0.0, 0.0, k * over
    gx, gy = xz * over, yz * over
    a, c, d = xx - xz * gx, xy - xz * gy, yy - yz * gy
    bx, by = f[0] + gx * k, f[1] + gy * k
    low, high, s = 0.0, math.inf, math.hypot(bx, by) * zz / (mu * k)
    x, y, z = 0.0, 0.0, k * over
    for _ in range(ITERATIONS):
        D = (a + s) * (d + s) - c * c
        x, y = (c * by - (d + s) * bx) / D, (c * bx - (a + s) * by) / D
        z = k * over - (gx * x + gy * y)
        size = math.hypot(x, y)
        excess = size - mu * z
        if excess > 0:
            low = s
        else:
            high = s
        if abs(excess) <= 1e-14 * size:
            break
        # derivative by s: (A + s) λ' = −λ; Newton on 1/|λ| − 1/(μ λ_z), nearly straight in s
        dx, dy = (c * y - (d + s) * x) / D, (c * x - (a + s) * y) / D
        slope = (x * dx + y * dy) / size
        fall = -mu * (gx * dx + gy * dy)
        after = s - excess * size * (mu * z) / (slope * (mu * z) * (mu * z) - fall * size * size)
        if not (z > 0 and low < after < high):
            after = (low + high) / 2 if high < math.inf else 2 * s + a + d
        if after == s:
            break
        s = after
    z = max(z, 0.0)
    size = math.hypot(x, y)
    trim = mu * z / size if size > 0 else 0.0
    return x * trim, y * trim, z
