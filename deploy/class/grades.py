"""Send grades to the learning platform that students come from (LTI 1.3, Assignment and Grade
Services).

    python grades.py KEY     prints the hub's public key, twice: for Moodle (RSA key) and for Canvas
                             (public JWK)
    python grades.py FILE    sends students.csv, the instructor's table that
                             `scripts/export.py report --roster` writes

`hub.py key` and `hub.py grades FILE` call it in the hub's environment. Where to, the hub knows from
each student's last log-in: the platform says there who the student is to it, and at which address
it takes grades of this course.
"""

import csv
import datetime
import json
import os
import re
import sys
from pathlib import Path

import hub
import requests
import snapshots
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector

CLAIM = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
COLUMN = (  # a column of students.csv: what for, and how many points there are
    r"(.+) \(of ([\d.]+)\)"
)


def keys(folder):
    """(private, public) in PEM, made when first asked for."""
    file = Path(folder) / "state" / "lti.pem"
    if not file.exists():
        made = rsa.generate_private_key(65537, 2048)
        pem = made.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        with open(file, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
            new.write(pem)
    private = file.read_bytes()
    public = serialization.load_pem_private_key(private, None).public_key()
    return (
        private.decode(),
        public.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ).decode(),
    )


class Platform:
    """The learning platform, as one registration of this hub there sees it."""

    def __init__(self, settings, client):
        private, public = keys(settings["folder"])
        registration = Registration().set_issuer(settings["lti"]["issuer"]).set_client_id(client)
        registration.set_auth_token_url(settings["grades"]["token_url"]).set_tool_private_key(
            private
        ).set_tool_public_key(public)
        self.connector, self.items = ServiceConnector(registration), {}

    def send(self, claims, grades):
        """One student's grades, {what: (points, most)}; the number of those sent.

        The sum goes where the platform put the link, if that has a column of its own; a lecture
        into a column of its name, which is made if the platform allows it.
        """
        endpoint, sent = claims[CLAIM], 0
        service = AssignmentsGradesService(self.connector, endpoint)
        for what, (points, most) in grades.items():
            own = what == "total" and endpoint.get("lineitem")
            if not own and not service.can_create_lineitem():
                continue
            grade = (
                Grade().set_user_id(claims["sub"]).set_score_given(points).set_score_maximum(most)
            )
            grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
            grade.set_timestamp(
                datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
            )
            service.put_grade(
                grade, None if own else self.column(service, endpoint["lineitems"], what, most)
            )
            sent += 1
        return sent

    def column(self, service, place, what, most):
        if (place, what) not in self.items:
            wanted = LineItem().set_tag(f"course-{what}").set_label(what).set_score_maximum(most)
            self.items[place, what] = service.find_or_create_lineitem(wanted)
        return self.items[place, what]


def client(claims):
    return claims.get("azp") or (
        claims["aud"] if isinstance(claims["aud"], str) else claims["aud"][0]
    )


def rows(file):
    """(names that the row may have here, {what: (points, most)}) of students.csv."""
    with open(file, newline="", encoding="utf-8-sig") as opened:
        table = csv.DictReader(opened)
        titles = table.fieldnames or []
        if not {"login", "email"} & set(titles) or not any(
            re.fullmatch(COLUMN, title) for title in titles
        ):
            hub.fail(
                f"got {file}, wanted students.csv of `scripts/export.py report --roster`, with"
                " columns such as `login` and `total (of 10)`"
            )
        for row in table:
            found = {
                match[1]: (float(value), float(match[2]))
                for title, value in row.items()
                if value and (match := re.fullmatch(COLUMN, title or ""))
            }
            yield (
                [name.strip().lower() for name in (row.get("login"), row.get("email")) if name],
                found,
            )


def send(settings, file):
    """Send all rows; the number of those for whom something went wrong, each told in a line."""
    known, platforms, wrong, sent, kept = set(snapshots.students(settings["folder"])), {}, 0, 0, 0
    for names, grades in rows(file):
        name = next((name for name in names if name in known), None)
        model = (
            json.loads(hub.ask(settings, "GET", f"users/{hub.quote(name)}") or b"{}")
            if name
            else {}
        )
        claims = model.get("auth_state") or {}
        try:
            if CLAIM not in claims:
                raise LtiException(
                    "has not come from the platform yet, or the platform takes no grades for this"
                    " link"
                )
            if client(claims) not in platforms:
                platforms[client(claims)] = Platform(settings, client(claims))
            number = platforms[client(claims)].send(claims, grades)
            sent, kept = sent + number, kept + len(grades) - number
        except (LtiException, requests.RequestException, KeyError) as error:
            wrong += 1
            print(f"{name or ' or '.join(names) or 'a row without a login'}: {error}")
    print(
        f"{hub.count(sent, 'grade')} sent"
        + (f"; {kept} not, for the platform lets the hub make no columns" if kept else "")
    )
    return wrong


def main():
    settings = json.loads(os.environ["CLASS_SETTINGS"])
    if sys.argv[1] == "KEY":
        public = keys(settings["folder"])[1]
        print(public)
        print(json.dumps(Registration.get_jwk(public)))
        return
    sys.exit(1 if send(settings, sys.argv[1]) else 0)


if __name__ == "__main__":
    main()
