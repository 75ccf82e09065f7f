"""From what students hand in to points: notebooks of the course, exams and homework.

report.py          which exercises of which notebooks are right: the command `export.py report`
report_student.py  the side of it that runs students' cells, shut in
hidden.py          inputs that no student has seen
answers.py         what students clicked and wrote beside a notebook
roster.py          whose a file is
grades.py          grades of a class
ideas.py           which wrong ideas a class shows, joined over all that it answered
class_page.py      the pages about a class: what to say next, and all that was counted
tables.py          files in, CSV out

bank.py            the questions that can be made of an exercise, by a seed
mistake_questions.py  those made of known mistakes
exams.py           which questions, a sheet for each student, the stored key
sheets.py          a sheet as a notebook or on paper
exam_grades.py     from sheets that came back to points: the command `teaching/exam.py grade`
"""
