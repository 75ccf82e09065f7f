"""Numbers as instruments write them: the same in Python, in JavaScript (kit.js) and on every
machine."""


def calm(x: float) -> float:
    """A number without the noise of its last digits, in which languages and machines differ.

    >>> calm(0.1 + 0.2), calm(1e-17)
    (0.3, 0.0)
    """
    return 0.0 if abs(x) < 1e-12 else float(f"{x:.12g}")


def fixed(x: float, digits: int) -> str:
    """A number with some digits after the point; never "-0.00".

    >>> fixed(-0.001, 2), fixed(0.125, 2)
    ('0.00', '0.12')
    """
    return f"{calm(x):z.{digits}f}"


def general(x: float, digits: int) -> str:
    """A number with some digits in all, as 3e-05 where it is very small or large.

    >>> general(0.00003, 3), general(1125, 3)
    ('3e-05', '1.12e+03')
    """
    return f"{calm(x):.{digits}g}"
