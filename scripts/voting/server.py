"""The server of the votes: one process, all in memory, no log of who asked.

Phones, and the wall, see what the room may know. The presenter's pages and the slides want a key
that is drawn at each start; it comes in the address once and is then a cookie. The server listens
on this computer alone unless it is told the room's network. A page may ask nobody but the server:
its Content-Security-Policy says so.
"""

import argparse
import asyncio
import hmac
import io
import json
import re
import secrets
import socket
import time
from collections import Counter, OrderedDict
from pathlib import Path
from urllib.parse import urlsplit

from exporting import BUILD
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler, StaticFileHandler

from voting import cards
from voting.polls import Polls

PAGES = Path(__file__).parent / "pages"
# What pages are made of: what the room may read, and what the presenter alone may.
PUBLIC = ("phone.js", "wall.js", "common.js", "votes.css")
PRIVATE = ("presenter.js", "slides_votes.js")
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# reveal.js and the instruments bring scripts within the page; no other host is asked all the same
SLIDES_POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:;"
    " style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
MOST_BODY, MOST_HEAD = 1 << 10, 16 << 10  # bytes of a request
MOST_VOTERS = 2000
MOST_STREAMS = 24  # open connections of one address in the room: a browser opens six
VOTERS_OF_ADDRESS = 3  # in a room each phone has an address; a student may own three devices
VOTERS_BEHIND = 500  # behind a gateway a whole class may have one address
RATE, BURST = 5.0, 30  # requests a second of one voter, and at once: a phone asks every 2 seconds


class Limits:
    """How many requests an address may make: `rate` a second for long, `burst` at once.

    It remembers the last `most` addresses that asked, so that made-up ones fill no memory.
    """

    def __init__(self, rate: float, burst: float, most: int = 5000):
        self.rate, self.burst, self.most = rate, burst, most
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, address: str, now: float) -> bool:
        """Whether this request, at the time `now` in seconds, is one that is answered."""
        left, then = self.left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        allowed = left >= 1
        self.left[address] = (left - allowed, now)
        if len(self.left) > self.most:
            self.left.popitem(last=False)
        return allowed


class Room:
    """What one start of the server knows: polls, voters, limits, the presenter's key.

    Parameters
    ----------
    polls : the votes.
    address : the phones' page, as the QR code and the wall say it.
    hosts : the names by which browsers may call the server; another name is a page of somebody
        else that has its own name lead here.
    behind : whether a proxy stands before the server.
    voters_of_address : how many may vote from one address.
    """

    def __init__(
        self,
        polls: Polls,
        address: str,
        hosts: set[str],
        behind: bool = False,
        voters_of_address: int = VOTERS_OF_ADDRESS,
    ):
        self.polls, self.address, self.hosts, self.behind = polls, address, hosts, behind
        self.voters_of_address = voters_of_address
        self.limits = Limits(RATE * self.voters_of_address, BURST * self.voters_of_address)
        self.voters: set[str] = set()
        self.at: Counter = Counter()  # voters of an address
        self.key = secrets.token_urlsafe(16)

    def new_voter(self, address: str) -> str | None:
        """A name for a phone that votes for the first time; None where the room, or this address,
        has as many as it may."""
        if len(self.voters) >= MOST_VOTERS or self.at[address] >= self.voters_of_address:
            return None
        voter = secrets.token_urlsafe(16)
        self.voters.add(voter)
        self.at[address] += 1
        return voter


class Page(RequestHandler):
    """What all answers have in common."""

    policy = POLICY

    def initialize(self, room: Room) -> None:
        self.room = room

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", self.policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")
        self.clear_header("Server")

    def prepare(self) -> None:
        refused = refusal(self)
        if refused:
            self.send_error(refused)

    def write_error(self, status_code: int, **details) -> None:
        """An error says its number alone: nothing that came in goes out."""
        self.finish(f"{status_code}\n")

    def cookie_name(self, what: str) -> str:
        """Cookies of one host are shared by its ports, so the port stands in their names."""
        return f"{what}-{urlsplit('//' + self.request.host).port or 0}"

    def keep_cookie(self, what: str, value: str) -> None:
        path = urlsplit(self.room.address).path
        self.set_cookie(
            self.cookie_name(what),
            value,
            httponly=True,
            samesite="Strict",
            expires_days=1,
            path=path,
        )

    def body_json(self) -> dict:
        """The JSON that was sent, or {}. The form of another site cannot send this type."""
        try:
            body = json.loads(self.request.body)
        except (ValueError, RecursionError):
            return {}
        json_sent = self.request.headers.get("Content-Type") == "application/json"
        return body if json_sent and isinstance(body, dict) else {}

    def send_file(self, name: str) -> None:
        path = PAGES / name
        self.set_header("Content-Type", f"{TYPES[path.suffix]}; charset=utf-8")
        self.finish(path.read_text(encoding="utf-8"))

    def send_state(self, told: dict) -> None:
        self.finish(told | {"address": self.room.address})


def refusal(page: RequestHandler) -> int | None:
    """The status by which a request is refused before it is read, or None."""
    if page.request.host not in page.room.hosts:
        return 421
    if not page.room.limits.allow(page.request.remote_ip, time.monotonic()):
        return 429
    return None


class Phone(Page):
    def get(self) -> None:
        self.send_file("phone.html")


class Wall(Page):
    def get(self) -> None:
        self.send_file("wall.html")


class Asset(Page):
    def get(self, name: str) -> None:
        self.send_file(name)


class QrCode(Page):
    def get(self) -> None:
        picture = qr_code(self.room.address)
        if picture is None:
            self.send_error(404)
            return
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(picture)


class State(Page):
    def get(self) -> None:
        voter = self.get_cookie(self.cookie_name("voter"))
        known = voter if voter in self.room.voters else None
        self.send_state(self.room.polls.told(known))


class Vote(Page):
    def post(self) -> None:
        room, said = self.room, self.body_json()
        voter = self.get_cookie(self.cookie_name("voter"))
        if voter not in room.voters:
            voter = room.new_voter(self.request.remote_ip)
            if voter is None:
                self.send_error(403)
                return
            self.keep_cookie("voter", voter)
        if not room.polls.vote(voter, said.get("name"), said.get("stage"), said.get("choice")):
            self.set_status(409)  # the question is another one by now: the phone asks which
        self.send_state(room.polls.told(voter))


def is_presenter(page: RequestHandler) -> bool:
    """Whether a request has the presenter's key, in its cookie or, once, in its address."""
    given = page.get_cookie(page.cookie_name("presenter")) or ""
    return hmac.compare_digest(given.encode(), page.room.key.encode())


class Presenter(Page):
    """Pages for the presenter alone."""

    def prepare(self) -> None:
        super().prepare()
        if not self._finished and not is_presenter(self):
            self.send_error(403)


class Enter(Page):
    """The printed address: the key becomes a cookie, and leaves the address before a projector
    shows it."""

    def get(self, key: str) -> None:
        if not hmac.compare_digest(key.encode(), self.room.key.encode()):
            self.send_error(403)
            return
        self.keep_cookie("presenter", key)
        # A step of our own page: after a redirect from another site a strict cookie is not sent.
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish('<meta http-equiv="refresh" content="0; url=../presenter/">')


class PresenterPage(Presenter):
    def get(self) -> None:
        self.send_file("presenter.html")


class PresenterAsset(Presenter):
    def get(self, name: str) -> None:
        self.send_file(name)


class Lectures(Presenter):
    """The lectures, their questions in order, and whether there are slides."""

    def get(self) -> None:
        lectures: dict[str, list[str]] = {}
        for question in self.room.polls.questions.values():
            lectures.setdefault(question.notebook, []).append(question.name)
        slides = [name for name in lectures if (BUILD / "slides" / f"{name}.html").exists()]
        self.finish({"lectures": lectures, "slides": slides})


class PresenterState(Presenter):
    def get(self) -> None:
        self.send_state(self.room.polls.told_presenter())


class Stage(Presenter):
    def post(self) -> None:
        said = self.body_json()
        try:
            self.room.polls.advance(
                said.get("name"), said.get("stage"), again=said.get("again") is True
            )
        except (ValueError, TypeError):
            self.send_error(400)
            return
        self.send_state(self.room.polls.told_presenter())


class Deck(Presenter):
    """A lecture's slides, with the script that opens the question which stands on the wall."""

    policy = SLIDES_POLICY

    def get(self, name: str) -> None:
        path = BUILD / "slides" / f"{name}.html"
        if not path.is_file():
            self.send_error(404)
            return
        script = '<script type="module" src="../slides_votes.js"></script></head>'
        page = path.read_text(encoding="utf-8").replace("</head>", script, 1)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(page)


class DeckFile(StaticFileHandler):
    """The scripts and styles beside the slides: they hold no answers."""

    def initialize(self, room: Room, path: Path) -> None:
        super().initialize(path=str(path))
        self.room = room

    def prepare(self) -> None:
        refused = refusal(self)
        if refused:
            self.send_error(refused)


def application(room: Room) -> Application:
    """The server's addresses, below the path of the phones' page."""
    base = urlsplit(room.address).path
    same = {"room": room}
    routes = [
        ("", Phone, same),
        ("wall", Wall, same),
        (f"({'|'.join(map(re.escape, PUBLIC))})", Asset, same),
        ("qr.svg", QrCode, same),
        ("state", State, same),
        ("vote", Vote, same),
        (r"enter/([\w-]+)", Enter, same),
        ("presenter/", PresenterPage, same),
        (f"presenter/({'|'.join(map(re.escape, PRIVATE))})", PresenterAsset, same),
        ("presenter/lectures", Lectures, same),
        ("presenter/state", PresenterState, same),
        ("presenter/stage", Stage, same),
        (r"presenter/slides/(\w+)\.html", Deck, same),
        (r"presenter/slides/assets/(.*)", DeckFile, {**same, "path": BUILD / "slides" / "assets"}),
    ]
    return Application(
        [(base + path, handler, more) for path, handler, more in routes],
        log_function=lambda handler: None,  # nobody is written down
        default_handler_class=NotFound,
        default_handler_args=same,
    )


class NotFound(Page):
    def prepare(self) -> None:
        self.send_error(refusal(self) or 404)


class Server(HTTPServer):
    """Connections of one address are counted, so that one phone cannot use up all of them."""

    def initialize(self, *arguments, most_streams: int = MOST_STREAMS, **more) -> None:
        super().initialize(*arguments, **more)
        self.most_streams, self.streams = most_streams, Counter()

    def handle_stream(self, stream, address) -> None:
        if self.streams[address[0]] >= self.most_streams:
            stream.close()
            return
        self.streams[address[0]] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn) -> None:
        self.streams[server_conn.context.address[0]] -= 1
        super().on_close(server_conn)


def start(room: Room, port: int, addresses: list[str]) -> Server:
    """Listen on these addresses of this computer. Returns the server."""
    server = Server(
        application(room),
        xheaders=room.behind,
        trusted_downstream=["127.0.0.1", "::1"] if room.behind else None,
        most_streams=MOST_VOTERS if room.behind else MOST_STREAMS,
        max_body_size=MOST_BODY,
        max_header_size=MOST_HEAD,
        body_timeout=5.0,
        idle_connection_timeout=20.0,
    )
    for address in addresses:
        server.listen(port, address)
    return server


def qr_code(text: str) -> str | None:
    """The text as a QR code, in SVG; None without the package segno."""
    try:
        import segno
    except ImportError:
        return None
    picture = io.BytesIO()
    segno.make(text, error="m", micro=False).save(picture, kind="svg", scale=10, light="#fff")
    return picture.getvalue().decode()


def own_address() -> str:
    """This computer's address in its network. A UDP socket chooses the way, and sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        except OSError:
            raise SystemExit(
                "votes.py: this computer is in no network; wanted --room ADDRESS"
            ) from None
        return way.getsockname()[0]


def reached_at(options: argparse.Namespace) -> tuple[str, list[str], set[str]]:
    """The phones' page, the addresses of this computer to listen on, and the server's names."""
    here = f"127.0.0.1:{options.port}"
    hosts = {here, f"localhost:{options.port}"}
    if options.behind:
        phones = options.behind.rstrip("/") + "/"
        return phones, ["127.0.0.1"], hosts | {urlsplit(phones).netloc}
    if not options.room:
        return f"http://{here}/", ["127.0.0.1"], hosts
    in_room = own_address() if options.room == "find" else options.room
    name = f"{in_room}:{options.port}"
    return f"http://{name}/", list(dict.fromkeys(["127.0.0.1", in_room])), hosts | {name}


async def serve(polls: Polls, options: argparse.Namespace) -> None:
    """Serve until the process is stopped."""
    phones, addresses, hosts = reached_at(options)
    behind = bool(options.behind)
    most = VOTERS_BEHIND if behind else VOTERS_OF_ADDRESS
    room = Room(polls, phones, hosts, behind, most)
    try:
        start(room, options.port, addresses)
    except OSError as error:
        wanted = f"votes.py: cannot listen on {addresses} at {options.port}"
        raise SystemExit(f"{wanted}: {error}") from None
    enter = phones if behind else f"http://127.0.0.1:{options.port}/"
    print(f"presenter (yours alone): {enter}enter/{room.key}")
    print(f"phones:                  {phones}")
    print(f"wall:                    {phones}wall")
    if qr_code("") is None:
        print("No QR code: `pip install segno`, or requirements-export.txt.")
    if not (BUILD / "slides").exists():
        print("No slides: `python scripts/export.py slides` makes them. The wall's page asks, too.")
    print("Ctrl+C ends it.", flush=True)
    await asyncio.Event().wait()


def main(words: str) -> None:
    parser = argparse.ArgumentParser(
        prog="votes.py", description=words, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--room",
        nargs="?",
        const="find",
        metavar="ADDRESS",
        help="listen in the room's network too; ADDRESS: this computer's there, if it has several",
    )
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--behind", metavar="URL", help="the address at a proxy or a hub before it")
    parser.add_argument("--to", type=Path, default=Path("votes"), help="where counts are kept")
    parser.add_argument("--cards", type=Path, metavar="FILE", help="write the page to print")
    options = parser.parse_args()
    if options.cards:
        options.cards.write_text(cards.page(), encoding="utf-8")
        print(f"cards: {options.cards}")
        return
    polls = Polls(options.to)
    try:
        asyncio.run(serve(polls, options))
    except KeyboardInterrupt:
        pass
    finally:
        polls.end()
