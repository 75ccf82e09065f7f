"""Votes by phone: forty phones, a flood, a late phone, and what nobody but the presenter may."""

import argparse
import http.client
import json
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from helpers import ROOT
from voting import cards, polls, server
from voting.polls import CLOSED, FIRST, SECOND, Polls
from voting_server import NAME, Running, free_port


def test_each_prediction_and_quiz_question_is_a_question_with_its_letters():
    asked = polls.questions()
    assert asked[NAME].right == "B"
    assert (
        asked["03_quiz_1"].options != asked["03_quiz_1"].question["options"]
    )  # shuffled, as shown
    assert all(2 <= len(question.letters) <= 4 for question in asked.values())  # cards have A to D


def test_a_question_goes_forward_only_unless_it_begins_again():
    votes = Polls()
    votes.advance(NAME, SECOND)
    votes.advance(NAME, FIRST)  # the speaker went a slide back
    assert votes.told()["stage"] == SECOND
    votes.vote("anna", NAME, SECOND, "A")
    votes.advance(NAME, FIRST, again=True)
    assert votes.told()["stage"] == FIRST
    assert votes.told_presenter()["counts"] == [[0] * 4, [0] * 4]


@pytest.mark.parametrize(
    ("name", "stage"), [("03_none", FIRST), (NAME, 4), (NAME, 0), (NAME, "1"), (["x"], FIRST)]
)
def test_what_is_no_question_or_stage_is_refused(name, stage):
    with pytest.raises((ValueError, TypeError)):
        Polls().advance(name, stage)


def test_key_and_counts_are_told_when_it_is_closed_and_not_before():
    votes = Polls()
    for stage in (FIRST, SECOND):
        votes.advance(NAME, stage)
        votes.vote("anna", NAME, stage, "B")
        assert not {"right", "counts", "whys"} & set(votes.told("anna"))
        assert "standard deviation" not in json.dumps(votes.told("anna"))  # of why A is wrong
    votes.advance(NAME, CLOSED)
    assert votes.told()["right"] == "B"
    assert votes.told()["counts"] == [[0, 1, 0, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize(
    ("name", "stage", "letter"),
    [
        (NAME, FIRST, "A"),  # that round is over
        (NAME, CLOSED, "A"),
        ("03_decided", SECOND, "A"),
        (NAME, SECOND, "E"),
        (NAME, SECOND, "AB"),
        (NAME, SECOND, ""),
        (NAME, SECOND, ["A"]),
        (NAME, True, "A"),
        (None, None, None),
    ],
)
def test_a_vote_that_fits_nothing_open_does_not_count(name, stage, letter):
    votes = Polls()
    votes.advance(NAME, SECOND)
    assert not votes.vote("anna", name, stage, letter)
    assert votes.told_presenter()["counts"] == [[0] * 4, [0] * 4]


def test_counts_are_kept_for_each_start_without_voters(tmp_path):
    for letter in "AB":
        votes = Polls(tmp_path)
        votes.advance(NAME, FIRST)
        votes.vote("anna", NAME, FIRST, letter)
        votes.advance("03_decided", FIRST)  # it was left open, and another one asked
        votes.vote("anna", "03_decided", FIRST, "D")
        votes.end()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["03_scaling.1.votes.json", "03_scaling.2.votes.json"]
    assert "anna" not in files[0].read_text()
    first, second = map(polls.read, files)
    assert first["votes"]["variance"][0] == [1, 0, 0, 0]
    assert second["votes"] == {
        "variance": [[0, 1, 0, 0], [0] * 4],
        "decided": [[0, 0, 0, 1], [0] * 4],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"questions": 1},
        {"notebook": "99_none"},
        {"votes": {"none": [[0] * 4, [0] * 4]}},
        {"votes": {"variance": [[0] * 4]}},
        {"votes": {"variance": [[0] * 4, [0] * 3]}},
        {"votes": {"variance": [[0] * 4, [0, 0, 0, -1]]}},
        {"votes": {"variance": [[0] * 4, [0, 0, 0, True]]}},
        {"votes": {"variance": [[0] * 4, [0, 0, 0, 10**9]]}},
        {"more": 1},
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path, change):
    votes = Polls(tmp_path)
    votes.advance(NAME, FIRST)
    votes.vote("anna", NAME, FIRST, "A")
    votes.end()
    path = tmp_path / "03_scaling.1.votes.json"
    data = json.loads(path.read_text())
    assert polls.read(path) == data
    path.write_text(json.dumps(data | change))
    with pytest.raises(ValueError, match="vote"):
        polls.read(path)


@pytest.fixture
def running():
    one = Running()
    yield one
    one.stop()


class Phone:
    """A phone at an address of its own, with the cookie that it was given."""

    def __init__(self, running, number, address=None):
        self.port, self.cookie = running.port, None
        self.headers = {"X-Forwarded-For": address or f"10.0.{number // 250}.{number % 250 + 1}"}

    def ask(self, path, body=None, kind="application/json", **headers):
        """(status, what came back as text)."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = self.headers | headers | ({"Cookie": self.cookie} if self.cookie else {})
        if body is not None:
            headers |= {"Content-Type": kind}
        link.request("GET" if body is None else "POST", path, body, headers)
        answer = link.getresponse()
        said = answer.read().decode()
        if "Set-Cookie" in answer.headers:
            assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["Set-Cookie"].split("; "))
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        link.close()
        return answer.status, said

    def vote(self, letter, stage, name=NAME):
        return self.ask("/vote", json.dumps({"name": name, "stage": stage, "choice": letter}))

    def state(self):
        return json.loads(self.ask("/state")[1])


def test_forty_phones_vote_twice_and_a_late_one_in_the_second_round(running):
    phones = [Phone(running, n) for n in range(40)]
    first, second = "ABCD" * 10, "B" * 30 + "A" * 10
    with ThreadPoolExecutor(20) as hall:
        running.advance(FIRST)
        answers = list(hall.map(lambda phone, letter: phone.vote(letter, FIRST), phones, first))
        assert {status for status, _ in answers} == {200}
        list(hall.map(lambda phone: phone.vote("B", FIRST), phones[:4]))  # four change their minds
        assert all('"right"' not in said and '"counts"' not in said for _, said in answers)
        running.advance(SECOND)
        assert phones[7].state()["choice"] is None  # a round begins without a letter
        list(hall.map(lambda phone, letter: phone.vote(letter, SECOND), phones, second))
    late = Phone(running, 40)
    assert late.state()["stage"] == SECOND
    assert late.vote("C", FIRST)[0] == 409
    assert late.vote("C", SECOND)[0] == 200
    assert late.state()["choice"] == "C"
    running.advance(CLOSED)
    assert late.vote("B", SECOND)[0] == 409
    assert late.state()["counts"] == [[9, 13, 9, 9], [10, 30, 1, 0]]


def test_a_flood_of_one_address_is_refused_and_the_others_go_on(running):
    running.advance(FIRST)
    flood, other = Phone(running, 0), Phone(running, 1)
    statuses = [flood.ask("/state")[0] for _ in range(400)]
    assert statuses.count(429) > 100
    assert other.vote("B", FIRST)[0] == 200


def test_one_address_makes_up_no_more_than_a_few_voters(running):
    running.advance(FIRST)
    made_up = [Phone(running, 0, address="10.9.9.9") for _ in range(10)]
    statuses = [phone.vote("A", FIRST)[0] for phone in made_up]
    assert statuses.count(200) == server.VOTERS_OF_ADDRESS
    assert set(statuses) == {200, 403}
    invented = Phone(running, 0, address="10.9.9.9")
    invented.cookie = f"voter-{running.port}=invented"
    assert invented.vote("A", FIRST)[0] == 403
    assert running.room.polls.told()["n"] == server.VOTERS_OF_ADDRESS


def test_limits_let_a_phone_ask_for_an_hour_and_forget_made_up_addresses():
    limits = server.Limits(rate=1.0, burst=5, most=10)
    assert all(limits.allow("phone", now) for now in range(0, 3600, 2))
    for n in range(100):
        limits.allow(f"made up {n}", 3600.0)
    assert len(limits.left) == 10
    asked = [limits.allow("flood", 3600.0 + n / 100) for n in range(300)]
    assert asked.count(True) == 5 + 2  # at once, and one in each second after


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        "[" * 900,
        '{"name": "03_variance", "stage": 1, "choice": "<script>alert(1)</script>"}',
        '{"name": {"a": 1}, "stage": [1], "choice": {"b": 2}}',
        '{"name": "03_variance", "stage": 1e999, "choice": "A"}',
        "\x00\x7f",
    ],
)
def test_what_is_no_vote_counts_nothing_and_comes_out_nowhere(running, body):
    running.advance(FIRST)
    status, said = Phone(running, 0).ask("/vote", body)
    assert status == 409
    assert "<script>" not in said
    assert running.room.polls.told()["n"] == 0


def test_another_sites_form_and_a_large_body_are_refused(running):
    running.advance(FIRST)
    good = json.dumps({"name": NAME, "stage": FIRST, "choice": "A"})
    assert Phone(running, 0).ask("/vote", good, kind="text/plain")[0] == 409
    try:
        status, _ = Phone(running, 1).ask("/vote", good + " " * server.MOST_BODY)
    except (ConnectionError, http.client.HTTPException):
        status = 413  # the connection is cut while the body comes
    assert status in (400, 413)
    assert running.room.polls.told()["n"] == 0


PRESENTERS = ["", "lectures", "state", "presenter.js", "slides/03_scaling.html"]


@pytest.mark.parametrize("path", PRESENTERS)
def test_what_is_the_presenters_is_the_presenters_alone(running, path):
    assert Phone(running, 0).ask(f"/presenter/{path}")[0] == 403
    presenter = Phone(running, 1)
    assert presenter.ask("/enter/guessed")[0] == 403
    presenter.ask(f"/enter/{running.room.key}")
    assert presenter.ask(f"/presenter/{path}")[0] in (200, 404)  # slides may not be made yet


def test_only_the_presenter_opens_a_question(running):
    order = json.dumps({"name": NAME, "stage": FIRST})
    assert Phone(running, 0).ask("/presenter/stage", order)[0] == 403
    assert running.room.polls.open is None
    presenter = Phone(running, 1)
    presenter.ask(f"/enter/{running.room.key}")
    assert presenter.ask("/presenter/stage", order, kind="text/plain")[0] == 400
    assert presenter.ask("/presenter/stage", order)[0] == 200
    assert running.room.polls.open.name == NAME


@pytest.mark.parametrize(
    "path",
    [
        "/presenter/slides/assets/../03_scaling.html",
        "/presenter/slides/assets/%2e%2e/03_scaling.html",
        "/presenter/slides/assets/%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        "/../server.py",
        "/presenter.html",
        "/slides_votes.js",
    ],
)
def test_no_other_file_is_served(running, path):
    assert Phone(running, 0).ask(path)[0] in (403, 404)


def test_a_page_that_leads_another_name_here_is_refused(running):
    assert Phone(running, 0).ask("/state", Host="elsewhere.example")[0] == 421


def test_a_page_may_ask_nobody_but_the_server(running):
    link = http.client.HTTPConnection("127.0.0.1", running.port)
    for path in ("/", "/wall", "/state", "/none"):
        link.request("GET", path)
        answer = link.getresponse()
        said = answer.read().decode()
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "Server" not in answer.headers
        assert not re.search(r'(src|href)="(?!data:)[^"]*//', said)
    link.close()


def test_one_address_has_a_few_connections(running):
    links = []
    running.server.most_streams = 3
    for _ in range(6):
        link = socket.create_connection(("127.0.0.1", running.port), timeout=10)
        links.append(link)
    time.sleep(0.3)
    answered = 0
    for link in links:
        try:
            link.sendall(b"GET /wall HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % running.port)
            answered += link.recv(15).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            pass
        link.close()
    assert answered == 3


def test_without_being_told_it_listens_on_this_computer_alone():
    options = argparse.Namespace(port=8765, room=None, behind=None)
    assert server.reached_at(options)[1] == ["127.0.0.1"]
    options.room = "192.0.2.7"
    address, listens, hosts = server.reached_at(options)
    assert (address, listens) == ("http://192.0.2.7:8765/", ["127.0.0.1", "192.0.2.7"])
    assert "192.0.2.7:8765" in hosts
    options.behind = "https://hub.example/services/votes"
    address, listens, hosts = server.reached_at(options)
    assert (address, listens) == ("https://hub.example/services/votes/", ["127.0.0.1"])
    assert "hub.example" in hosts


def test_the_command_prints_the_addresses_and_keeps_what_was_counted(tmp_path):
    port = free_port()
    process = subprocess.Popen(
        [
            sys.executable,
            ROOT / "scripts" / "votes.py",
            "--port",
            str(port),
            "--to",
            tmp_path / "v",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        lines = iter(process.stdout.readline, "")
        enter = next(re.search(r"/enter/(\S+)", line) for line in lines if "/enter/" in line)[1]
        next(line for line in lines if "Ctrl+C" in line)
        listens = psutil.Process(process.pid).net_connections()
        assert {c.laddr.ip for c in listens if c.status == "LISTEN"} == {"127.0.0.1"}
        phone = Phone(argparse.Namespace(port=port), 0)
        phone.ask(f"/enter/{enter}")
        phone.ask("/presenter/stage", json.dumps({"name": NAME, "stage": FIRST}))
        voter = Phone(argparse.Namespace(port=port), 0)
        assert voter.vote("C", FIRST)[0] == 200
        phone.ask("/presenter/stage", json.dumps({"name": NAME, "stage": CLOSED}))
    finally:
        process.terminate()
        process.communicate(timeout=30)
    kept = polls.read(tmp_path / "v" / "03_scaling.1.votes.json")
    assert kept["votes"] == {"variance": [[0, 0, 1, 0], [0] * 4]}


def test_behind_a_hub_all_addresses_stand_below_its_path():
    room = server.Room(Polls(), "https://hub.example/services/votes/", {"hub.example"}, True)
    paths = [
        rule.matcher.regex.pattern
        for rule in server.application(room).wildcard_router.rules
        if hasattr(rule.matcher, "regex")
    ]
    assert len(paths) > 10
    assert all(path.startswith("/services/votes/") for path in paths)


def test_behind_a_hub_a_phone_votes_below_its_path_and_its_cookie_stays_there():
    running = Running(path="/votes/")
    try:
        running.advance(FIRST)
        phone = Phone(running, 0)
        assert phone.ask("/votes/")[0] == 200
        assert phone.ask("/")[0] == 404
        body = json.dumps({"name": NAME, "stage": FIRST, "choice": "B"})
        link = http.client.HTTPConnection("127.0.0.1", running.port)
        link.request("POST", "/votes/vote", body, {"Content-Type": "application/json"})
        answer = link.getresponse()
        assert answer.status == 200
        assert "Path=/votes/" in answer.headers["Set-Cookie"]
        link.close()
        pages = [phone.ask(f"/votes/{page}")[1] for page in ("", "wall")]
        pages.append((ROOT / "scripts/voting/pages/presenter.html").read_text(encoding="utf-8"))
        assert not re.search(r'(src|href)="/', "".join(pages))  # all addresses are relative
    finally:
        running.stop()


def test_the_qr_code_holds_the_address_and_its_absence_stops_nothing(running, monkeypatch):
    segno = pytest.importorskip("segno", reason="no segno: pip install -r requirements-test.txt")
    status, picture = Phone(running, 0).ask("/qr.svg")
    width = segno.make(running.room.address, error="m", micro=False).symbol_size(scale=10)[0]
    assert status == 200
    assert f'width="{width}"' in picture
    monkeypatch.setitem(sys.modules, "segno", None)
    assert Phone(running, 1).ask("/qr.svg")[0] == 404
    assert Phone(running, 1).ask("/wall")[0] == 200


def test_cards_have_the_letters_of_all_questions():
    letters = re.findall(r'class="letter"[^>]*>(\w)<', cards.page())
    assert letters == list("ABCD")
