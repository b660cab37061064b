"""Numbers in text, found by compiled code.

Module-level and calling nothing outside this file: Numba's own file cache is safe for that.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

_POWERS = np.array([float(f"1e{k}") for k in range(23)])  # those that a float64 holds exactly
_U = np.uint64
_TAB, _NEWLINE, _RETURN, _BLANK, _PLUS, _MINUS, _POINT, _ZERO, _E, _D = b"\t\n\r +-.0ed"


@numba.njit(nogil=True, cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def scan(buffer: Any, start: Any, width: Any, values: Any, places: Any) -> Any:
    """Fill ``values`` from ``buffer``; how many, the place after them, and whether all were good.

    NaN stands for what needs more than one rounding: `float` does that. Where a word is no
    number, the place is the word's. Unsigned throughout: indices cost less, and a character
    below "0" becomes a digit far above 9.
    """
    size, i, line = _U(buffer.size), _U(start), _U(start)
    one, nine, ten, zero = _U(1), _U(9), _U(10), _U(_ZERO)
    count, room = 0, values.size
    while count < room:
        while i < size and (buffer[i] == _BLANK or _TAB <= buffer[i] <= _RETURN):
            if buffer[i] == _NEWLINE:
                line = i + one
            i += one
        if i >= size:
            break
        first, stop = i, size
        if width > 0:  # the end of this column
            stop = min(size, line + ((i - line) // _U(width) + one) * _U(width))
        negative = buffer[i] == _MINUS
        i += _U(negative or buffer[i] == _PLUS)
        mantissa, begin = _U(0), i
        power: Any = 0
        while i < stop:
            digit = _U(buffer[i]) - zero
            if digit > nine:
                break
            mantissa = mantissa * ten + digit
            i += one
        digits = i - begin
        if i < stop and buffer[i] == _POINT:
            i += one
            begin = i
            while i < stop:
                digit = _U(buffer[i]) - zero
                if digit > nine:
                    break
                mantissa = mantissa * ten + digit
                i += one
            digits += i - begin
            power = -np.int64(i - begin)
        if digits == 0:
            return count, np.int64(first), False
        if i < stop and ((buffer[i] | 0x20) == _E or (buffer[i] | 0x20) == _D):
            i += one
            sign = buffer[i] if i < stop else buffer[first]
            i += _U(i < stop and (sign in (_MINUS, _PLUS)))
            exponent, begin = _U(0), i
            while i < stop:
                digit = _U(buffer[i]) - zero
                if digit > nine:
                    break
                exponent = min(exponent * ten + digit, _U(9999))
                i += one
            if i == begin:
                return count, np.int64(first), False
            power += -np.int64(exponent) if sign == _MINUS else np.int64(exponent)
        if i < stop and buffer[i] != _BLANK and not _TAB <= buffer[i] <= _RETURN:
            return count, np.int64(first), False
        if digits > 15 or power < -22 or power > 22:
            value = np.nan
        elif power < 0:
            value = np.float64(mantissa) / _POWERS[_U(-power)]
        else:
            value = np.float64(mantissa) * _POWERS[_U(power)]
        values[count] = -value if negative else value
        places[count] = first
        count += 1
    return count, np.int64(i), True
