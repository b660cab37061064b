"""Numbers in text, found by compiled code: any (`scan`), or a table of equal columns
(`scan_columns`).
"""

from typing import Any

import numba
import numpy as np

from rocksteady.numerics.decorators import standalone

_POWERS = np.array([float(f"1e{k}") for k in range(23)])  # those that a float64 holds exactly
_BLOCK = 1000  # numbers that are gathered, then parsed together: they stay in the fastest memory
_U = np.uint64
_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)
_compiled = (
    np.errstate(over="ignore")  # step by step, NumPy's unsigned numbers complain
    if numba.config.DISABLE_JIT
    else standalone
)
_TAB, _NEWLINE, _RETURN, _BLANK, _PLUS, _MINUS, _POINT, _ZERO, _E, _D = b"\t\n\r +-.0ed"


@_compiled  # type: ignore[untyped-decorator]
def _digits(buffer: Any, i: Any, stop: Any, number: Any, most: Any) -> Any:
    """``number`` with the digits from place ``i`` on added, up to ``most``; and the place after."""
    while i < stop:
        digit = _U(buffer[i]) - _U(_ZERO)
        if digit > _U(9):
            break
        number = min(number * _U(10) + digit, most)
        i += _U(1)
    return number, i


@_compiled  # type: ignore[untyped-decorator]
def scan(buffer: Any, start: Any, width: Any, factor: Any, values: Any, places: Any) -> Any:
    """Fill ``values`` from ``buffer``, each times ``factor``; how many, the place after them,
    whether there are NaNs among them, and whether all were good.

    NaN marks numbers that need more than one rounding, which `float` does. If a word is not a
    number, the place is the word's. Unsigned throughout: indices cost less, and a character
    below "0" becomes a digit far above 9.
    """
    size, i, line = _U(buffer.size), _U(start), _U(start)
    one = _U(1)
    count, room, rough = 0, values.size, False
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
        mantissa, i = _digits(buffer, i, stop, mantissa, _MOST)
        digits = i - begin
        if i < stop and buffer[i] == _POINT:
            i += one
            begin = i
            mantissa, i = _digits(buffer, i, stop, mantissa, _MOST)
            digits += i - begin
            power = -np.int64(i - begin)
        if digits == 0:
            return count, np.int64(first), rough, False
        if i < stop and ((buffer[i] | 0x20) == _E or (buffer[i] | 0x20) == _D):
            i += one
            sign = buffer[i] if i < stop else buffer[first]
            i += _U(i < stop and (sign in (_MINUS, _PLUS)))
            exponent, begin = _U(0), i
            exponent, i = _digits(buffer, i, stop, exponent, _U(9999))
            if i == begin:
                return count, np.int64(first), rough, False
            power += -np.int64(exponent) if sign == _MINUS else np.int64(exponent)
        if i < stop and buffer[i] != _BLANK and not _TAB <= buffer[i] <= _RETURN:
            return count, np.int64(first), rough, False
        if digits > 15 or power < -22 or power > 22:
            value, rough = np.nan, True
        elif power < 0:
            value = np.float64(mantissa) / _POWERS[_U(-power)]
        else:
            value = np.float64(mantissa) * _POWERS[_U(power)]
        values[count] = (-value if negative else value) * factor
        places[count] = first
        count += 1
    return count, np.int64(i), rough, True


@_compiled  # type: ignore[untyped-decorator]
def _eight(buffer: Any, i: Any) -> Any:
    """The eight bytes from ``i``, the first one lowest: one instruction of the processor."""
    low = _U(buffer[i]) | _U(buffer[i + _U(1)]) << _U(8)
    low |= _U(buffer[i + _U(2)]) << _U(16) | _U(buffer[i + _U(3)]) << _U(24)
    high = _U(buffer[i + _U(4)]) | _U(buffer[i + _U(5)]) << _U(8)
    high |= _U(buffer[i + _U(6)]) << _U(16) | _U(buffer[i + _U(7)]) << _U(24)
    return low | high << _U(32)


@_compiled  # type: ignore[untyped-decorator]
def _gather(buffer: Any, place: Any, width: Any, row: Any, lines: Any, words: Any) -> Any:
    """Each number's last 16 characters, as two words; not zero if a line ends elsewhere."""
    odd, k = _U(0), _U(0)
    for _ in range(lines):
        for _ in range(row):
            place += width
            low, high = _eight(buffer, place - _U(16)), _eight(buffer, place - _U(8))
            words[k], words[k + _U(1)] = low, high
            k += _U(2)
        odd |= _U(buffer[place]) ^ _U(_NEWLINE)
        place += _U(1)
    return odd


@_compiled  # type: ignore[untyped-decorator]
def _parse(words: Any, width: Any, digits: Any, whole: Any, factor: Any, values: Any) -> Any:
    """Fill ``values``; whether there are NaNs among them, and not zero if anything is odd.

    Characters are compared with what is allowed by exclusive or, eight at once: equal ones become
    zero, digits their value. No branches, so that the processor does several numbers at a time.
    """
    is_fraction = ~_U(0) << (_U(8) * (_U(8) - digits))
    is_front = ~_U(0) << (_U(8) * (_U(12) + digits - width))
    to_point = _U(8) * (digits - _U(4))
    front_of_zero, at_sign, is_whole, one = _U(0x2E20202020202020), _U(48), _U(0), _U(1)
    if whole:
        front_of_zero, at_sign, is_whole = _U(0x2E30202020202020), _U(40), _U(0xFF)
    is_blank = is_front & ~(_U(0xFF) << at_sign | is_whole << _U(48))
    for _ in range(digits):
        one *= _U(10)
    odd, largest = _U(0), _U(0)
    for i in range(values.size):
        low, high = words[2 * i], words[2 * i + 1]
        digit = ((low >> _U(32) | high << _U(32)) ^ _U(0x3030303030303030)) & is_fraction
        odd |= ((digit + _U(0x7676767676767676)) | digit) & _U(0x8080808080808080)  # above 9
        pair = digit * _U(10) + (digit >> _U(8))
        mantissa = (pair & _U(0xFF000000FF)) * _U(1000000 << 32 | 100)
        mantissa += ((pair >> _U(16)) & _U(0xFF000000FF)) * _U(10000 << 32 | 1)
        front = ((low << to_point) ^ front_of_zero) & is_front
        sign = (front >> at_sign) & _U(0xFF)  # 0, or 13 for a minus
        odd |= (sign * (sign ^ _U(13))) | (front & is_blank)
        first = (front >> _U(48)) & is_whole
        odd |= ((first + _U(0x76)) | first) & _U(0x80)
        value = np.float64(np.int64((mantissa >> _U(32)) + first * one))
        tail = (high >> _U(32)) ^ _U(0x30302B45)  # E+00; also D, e, d, and minus
        odd |= (tail & _U(0xF0F0F9DE)) | ((tail + _U(0x06060000)) & _U(0xF0F00000))
        odd |= ((tail >> _U(1)) ^ tail) & _U(0x200)
        exponent = ((tail >> _U(16)) & _U(15)) * _U(10) + (tail >> _U(24))
        power = digits + (exponent if tail & _U(0x400) else _U(0) - exponent)
        largest = max(largest, power)
        # Exact up to 10^22, and with vector instructions faster than a table.
        divisor = (10.0 if power & _U(1) else 1.0) * (1e2 if power & _U(2) else 1.0)
        divisor *= (1e4 if power & _U(4) else 1.0) * (1e8 if power & _U(8) else 1.0)
        divisor *= (1e16 if power & _U(16) else 1.0) * (1.0 if power <= _U(22) else np.nan)
        values[i] = (-value if sign else value) / divisor * factor
    return largest > _U(22), odd


@_compiled  # type: ignore[untyped-decorator]
def scan_columns(
    buffer: Any, start: Any, width: Any, digits: Any, whole: Any, row: Any, factor: Any, values: Any
) -> Any:
    """As `scan`, for full lines of ``row`` numbers like ``-1.2345678E-02`` in equal columns.

    Each has ``digits`` (4 to 8) behind the point, ``whole`` (0 or 1) before it and two in the
    exponent, and is at most 16 characters with the blanks before it. The first lines with anything
    else in them end the work, and `scan` can go on from there. Returned: how many numbers, the
    place after them, and whether there are NaNs among them.
    """
    wide, place = _U(width), _U(start)
    lines = max(_BLOCK // row, 1)
    room = min((buffer.size - start) // (row * width + 1), values.size // row)
    words = np.empty(2 * lines * row, np.uint64)
    count, rough = 0, False
    while room > 0:
        these = min(lines, room)
        block = values[count : count + these * row]
        if _gather(buffer, place, wide, row, these, words):
            break
        some, odd = _parse(words, wide, _U(digits), whole, factor, block)
        if odd:
            break
        rough |= some
        place += _U(these * (row * width + 1))
        count += block.size
        room -= these
    return count, np.int64(place) - (count > 0), rough  # before the newline, as after a word


@_compiled  # type: ignore[untyped-decorator]
def exceeds(values: Any, limit: Any) -> Any:
    """Whether any of ``values`` is larger than ``limit``, in absolute value; both as the bits of
    numbers, which without their sign are in the same order and can be compared several at a time.
    """
    most = np.int64(0)
    for i in range(values.size):
        most = max(most, values[i] & np.int64(0x7FFFFFFFFFFFFFFF))
    return most > limit
