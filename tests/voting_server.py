"""A server of votes in a thread, for tests."""

import asyncio
import socket
import threading

from voting import server
from voting.polls import Polls

NAME = "03_variance"  # B is right


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Running:
    """The server in a thread. Phones say by a proxy's header from which address they come."""

    def __init__(self, port=None, behind=True, path="/"):
        self.port = port or free_port()
        name = f"127.0.0.1:{self.port}"
        self.room = server.Room(Polls(), f"http://{name}{path}", {name}, behind)
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,))
        self.thread.start()
        ready.wait(10)

    def run(self, ready):
        async def begin():
            self.server = server.start(self.room, self.port, ["127.0.0.1"])
            ready.set()

        self.loop.run_until_complete(begin())
        self.loop.run_forever()
        self.server.stop()
        self.loop.run_until_complete(self.server.close_all_connections())
        self.loop.close()

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def advance(self, stage, name=NAME):
        done = asyncio.run_coroutine_threadsafe(self.at_stage(name, stage), self.loop)
        done.result(10)

    async def at_stage(self, name, stage):
        self.room.polls.advance(name, stage)
