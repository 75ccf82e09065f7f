"""The check, where an exam is written: it is closed."""


def diagnose(name, answer):
    """Say nothing about an answer."""
    print("The check is closed during the exam.")
