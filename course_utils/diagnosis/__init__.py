"""The engine of the check: it runs a student's function, compares it, and says which idea slipped and where. It has no content.

Exercises (`exercises/`) are made of it. Files from below:

values.py           values as arrays, within rounding, and in words
code_inspection.py  what stands in a student's code, without running it
running.py          a student's function in a process of its own (worker.py)
error_messages.py   Python's errors in plain words
properties.py       measured properties of numbers that are wrong
verdicts.py         the verdict, and the help that opens below it
evaluation.py       what a function did on all inputs, and which idea slipped
exercise.py         the four shapes of an exercise
student_module.py   functions that passed, kept in the student's own file
comparing.py        which function is to blame inside a model
"""
