"""Who is in the class, and whose a file is: by the folder or the name that Moodle, Canvas, a hub or
a person gave it. Never by a guess."""

import csv
import re
import sys
import unicodedata
from dataclasses import dataclass, field

from grading import tables

# What a roster's columns are called: {field: names}. Those of Moodle (participants, grades, the
# grading worksheet) and Canvas (gradebook) are here.
NAMES = {
    "name": ["name", "full name", "student", "student name"],
    "first": ["first name", "firstname", "given name"],
    "last": ["last name", "lastname", "surname", "family name"],
    "id": ["id", "id number", "student id", "student number", "matriculation number"],
    "email": ["email", "e-mail", "email address", "mail"],
    "login": ["login", "username", "user name", "user", "login id", "sis login id"],
    "sis": ["sis user id"],
    "section": ["section", "group", "groups"],
    "place": ["identifier"],  # of Moodle's grading worksheet: "Participant 12345"
}
NO_STUDENTS = r"\s*points possible|\s*manual posting|student, test$"  # rows of Canvas's gradebook
MOODLE = r"(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)"
CANVAS = r"([^\W_]+)_(?:LATE_)?(\d+)_\d+_"


@dataclass(eq=False)
class Person:
    """A student of the roster; `row` is the roster's own, by the names above."""

    first: str
    last: str
    row: dict = field(default_factory=dict)

    def __getattr__(self, name):
        if name in NAMES:
            return self.row.get(name, "")
        raise AttributeError(name)

    @property
    def full(self):
        return f"{self.first} {self.last}".strip()

    @property
    def called(self):
        """All under which a file may name this person, squashed."""
        words = self.full.split()
        names = [
            self.full,
            f"{self.last} {self.first}",
            " ".join([*words[-1:], *words[:-1]]),
        ]  # Canvas puts the last word first
        rest = [self.login or self.email.partition("@")[0], self.email, self.id, self.sis]
        numbers = [*rest, *re.findall(r"\d+$", self.place)]
        both = [f"{self.full} {one}" for one in numbers if one]  # as `labels` tells namesakes apart
        return {key for key in map(squashed, [*names, *both]) if key} | {
            key for key in map(squashed, rest) if len(key) > (3 if key.isdigit() else 1)
        }


def squashed(text):
    """Letters and digits alone, small and without accents: what is left of a name when a file
    system has had it."""
    parts = unicodedata.normalize("NFKD", str(text)).casefold()
    return "".join(c for c in parts if c.isalnum())


def read(path):
    """(people, header) of a roster. Ends the program with a sentence where it is none."""
    try:
        rows = tables.read(path, csv.reader) or [[]]
    except OSError as error:
        sys.exit(f"the roster {path} cannot be read: {error.strerror}")
    except ValueError:
        sys.exit(f"report: got {path}, wanted a roster as CSV in UTF-8")
    header = [cell.strip() for cell in rows[0]]
    found = {}
    for i, cell in enumerate(header):
        what = next(
            (what for what, names in NAMES.items() if cell.casefold().replace("_", " ") in names),
            None,
        )
        found.setdefault(what, i)
    if not {"name", "last", "login", "email"} & set(found):
        sys.exit(
            f"report: got a roster with the columns {', '.join(header[:8])}; wanted a header with"
            " `name`, or `first name` and `last name`, and if there are any `id`, `email`, `login`"
        )
    people = []
    for cells in rows[1:]:
        row = {what: cells[i].strip() for what, i in found.items() if what and i < len(cells)}
        row["canvas"] = (
            row.get("id") if "sis login id" in map(str.casefold, header) else None
        )  # its numbers stand in file names
        person = _person(row)
        if person.full and not re.match(NO_STUDENTS, row.get("name", ""), flags=re.IGNORECASE):
            people.append(person)
    if not people:
        sys.exit(f"report: got {path} without a student in it, wanted a row for each")
    return people, header


def _person(row):
    if "first" in row or "last" in row:
        return Person(row.get("first", ""), row.get("last", ""), row)
    name = row.get("name") or row.get("login") or row.get("email", "")
    last, comma, first = name.partition(",")
    first, last = (first, last) if comma else name.rpartition(" ")[::2]
    return Person(first.strip(), last.strip(), row)


def whose(path, people, notebooks):
    """The people whom a relative path fits: one, or none or several, and then nobody can say whose
    it is.

    Each part of the path that names somebody says who may be meant; whom all of them mean fits.
    Where they contradict each other, all are given back.
    """
    said = [
        who
        for part in (*path.parts[:-1], path.name)
        for who in _said(part, people, notebooks, part == path.name)
    ]
    said = [who for who in said if who]
    if not said:
        return []
    agreed = [person for person in said[0] if all(person in who for who in said)]
    return agreed or [person for person in people if any(person in who for who in said)]


def unread(folder, people, notebooks):
    """{id of a person: the names of files that are theirs and no notebooks}."""
    theirs = {}
    for path in tables.unread(folder):
        who = whose(path.relative_to(folder), people, notebooks)
        if len(who) == 1:
            theirs.setdefault(id(who[0]), []).append(path.name)
    return theirs


def labels(people):
    """{a name that nobody else has: person}: the full name; where several have it, with the number,
    the address or the place in the roster behind it."""
    names = [person.full for person in people]
    return {
        person.full
        if names.count(person.full) == 1
        else f"{person.full}, {person.id or person.email or person.login or place}": person
        for place, person in enumerate(people, start=1)
    }


ABSENT = "handed in nothing"
NO_NOTEBOOK = "no notebook"
SEVERAL = "a file fits this name and another: see not_matched.csv"


def named(text, people):
    """The people whom a whole text names, such as a name that was typed from paper: a slash in it
    parts no folders."""
    wanted = squashed(text)
    return [person for person in people if wanted and wanted in person.called]


def _said(part, people, notebooks, is_file):
    """Lists of those whom a part of a path names, one for each way in which it names."""
    if moodle := re.match(MOODLE, part):
        numbered = [
            person
            for person in people
            if re.search(r"\d+$", person.place) and re.search(r"\d+$", person.place)[0] == moodle[2]
        ]
        return [named(moodle[1], people), numbered]
    if not is_file:
        return [named(part, people)]
    if canvas := re.match(CANVAS, part):
        numbered = [person for person in people if person.row.get("canvas") == canvas[2]]
        return [named(canvas[1], people), numbered]
    stem = re.sub(r"(\.answers|\.tar)?\.\w+$", "", part).replace(".answers", "")
    rest = next((stem.replace(name, " ") for name in notebooks if name in stem), stem)
    return [
        named(text, people)
        for text in (re.sub(r"\(\d{1,3}\)", "", rest), *re.findall(r"\(([^()]+)\)", rest))
    ]
