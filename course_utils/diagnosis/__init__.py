"""The engine of the check: it runs a student's function, compares it, and says which idea slipped
and where. It has no content.

Exercises (`exercises/`) are made of it. Files from below:

values.py           values as arrays, within rounding, and in words
code_inspection.py  what stands in a student's code, without running it
running.py          a student's function in a process of its own (worker.py)
catch_inputs.py     what is said of an input that lets mistakes pass
laws.py             what is said of a law that does not hold, or lets too much pass
error_messages.py   Python's errors in plain words
candidates.py       a student's function as trees that can be changed and run again, and what is
    right
edits.py            the grammar of slips: every small edit of a function, as tables
mending.py          the smallest mend of a student's function
tracing.py          the values of every expression of a run
substitution.py     a right run's values put into the student's
explaining.py       both searches, in the order in which they speak
slip_words.py       a title and a question for what they find
properties.py       measured properties of numbers that are wrong
verdicts.py         the verdict, and the help that opens below it
evaluation.py       what a function did on all inputs, and which idea slipped
exercise.py         the four shapes of an exercise
student_module.py   functions that passed, kept in the student's own file
comparing.py        which function is to blame inside a model
"""
