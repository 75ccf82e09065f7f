"""A student at a browser, without the browser: logs in, waits for the server, runs notebooks and
saves them, over HTTP and websockets.

What JupyterHub's pages and JupyterLab do, in their order, with the same cookies; no token is asked
for and none stands in an address.
For the load test and the tests of faults. Needs aiohttp.
"""

import asyncio
import json
import uuid

import aiohttp

NOTEBOOK = {"type": "notebook", "format": "json"}


class Student:
    """One person: `async with Student(hub, name, password) as student`."""

    def __init__(self, hub, name, password, ssl=True):
        self.hub, self.name, self.password, self.ssl = (
            hub.rstrip("/"),
            name,
            password,
            ssl,
        )  # ssl: another context than the system's
        self.server = f"{self.hub}/user/{name}"

    async def __aenter__(self):
        self.http = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True),  # unsafe: cookies of 127.0.0.1 too
            connector=aiohttp.TCPConnector(ssl=self.ssl),
            timeout=aiohttp.ClientTimeout(total=None, sock_read=900),
        )
        return self

    async def __aexit__(self, *_):
        await self.http.close()

    async def ask(self, method, url, data=None, **more):
        """The answer as JSON. What is no JSON, or no success, is an error that says what came."""
        async with self.http.request(
            method, url, json=data, headers={"X-XSRFToken": self._xsrf(url)}, **more
        ) as answer:
            text = await answer.text()
            if answer.status >= 400 or (text and "json" not in answer.content_type):
                raise OSError(
                    f"{method} {url}: {answer.status} {answer.content_type}: {text[:300]}"
                )
            return json.loads(text) if text else None

    def _xsrf(self, url):
        """The token that the page at this address was given: of the cookies that fit, the one for
        the longest path."""
        fits = [
            cookie
            for cookie in self.http.cookie_jar
            if cookie.key == "_xsrf" and aiohttp.client.URL(url).path.startswith(cookie["path"])
        ]
        return max(fits, key=lambda cookie: len(cookie["path"])).value if fits else ""

    async def log_in(self):
        login = f"{self.hub}/hub/login"
        async with self.http.get(login) as page:
            page.raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": self._xsrf(login)}
        async with self.http.post(login, data=form, allow_redirects=False) as answer:
            if answer.status != 302:
                raise PermissionError(f"{self.name} was not let in: {answer.status}")

    async def start_server(self):
        """Ask for the server, watch its progress as the waiting page does, open JupyterLab."""
        async with self.http.get(f"{self.hub}/hub/spawn/{self.name}") as page:
            page.raise_for_status()
        if page.url.path.startswith("/hub/spawn-pending"):
            progress = f"{self.hub}/hub/api/users/{self.name}/server/progress"
            async with self.http.get(progress, params={"_xsrf": self._xsrf(progress)}) as events:
                events.raise_for_status()
                async for line in events.content:
                    if line.startswith(b"data:"):
                        event = json.loads(line[5:])
                        if event.get("failed"):
                            raise OSError(f"{self.name}: {event}")
                        if event.get("ready"):
                            break
        async with self.http.get(f"{self.server}/lab") as page:
            page.raise_for_status()
            await page.read()

    async def read(self, path):
        return (await self.ask("GET", f"{self.server}/api/contents/{path}?content=1"))["content"]

    async def save(self, path, notebook):
        return await self.ask(
            "PUT", f"{self.server}/api/contents/{path}", {**NOTEBOOK, "content": notebook}
        )

    async def open_kernel(self, path):
        """The kernel of a notebook, which is started if none runs, as a tab of JupyterLab opens
        it."""
        wanted = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        session = await self.ask("POST", f"{self.server}/api/sessions", wanted)
        kernel = Kernel(self, session["kernel"]["id"])
        await kernel.connect()
        return kernel

    async def run_notebook(self, path, kernel):
        """Run all code cells and save; the notebook as saved. An error in a cell is an error
        here."""
        notebook = await self.read(path)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and cell["source"].strip():
                reply, cell["outputs"] = await kernel.run(cell["source"])
                cell["execution_count"] = reply["execution_count"]
                if reply["status"] != "ok":
                    raise RuntimeError(f"{path}: {reply.get('ename')}: {reply.get('evalue')}")
        await self.save(path, notebook)
        return notebook


class Kernel:
    """The websocket of a kernel."""

    def __init__(self, student, id):
        self.student, self.id, self.session = student, id, uuid.uuid4().hex
        self.sliders = {}  # comm id -> number of values
        self.waiting = {}  # message id -> queue of what answers it

    async def connect(self):
        url = f"{self.student.server}/api/kernels/{self.id}/channels?session_id={self.session}"
        self.socket = await self.student.http.ws_connect(
            url, max_msg_size=0, headers={"Origin": self.student.hub}
        )
        self.reader = asyncio.create_task(self._read())
        await self._ask("shell", "kernel_info_request", {})

    async def close(self):
        await self.socket.close()
        await self.reader

    async def _read(self):
        async for message in self.socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                continue  # picture buffers; none of ours
            message = json.loads(message.data)
            data = message["content"].get("data", {})
            if message["msg_type"] == "comm_open" and "index" in data.get("state", {}):
                self.sliders[message["content"]["comm_id"]] = len(data["state"]["_options_labels"])
            queue = self.waiting.get(message["parent_header"].get("msg_id"))
            if queue:
                queue.put_nowait(message)
        for queue in self.waiting.values():
            queue.put_nowait(None)

    async def _ask(self, channel, kind, content):
        """Send a message and gather what answers it until the kernel is idle again: (reply,
        others)."""
        id = uuid.uuid4().hex
        queue = self.waiting[id] = asyncio.Queue()
        header = {
            "msg_id": id,
            "msg_type": kind,
            "session": self.session,
            "username": self.student.name,
            "version": "5.3",
            "date": "",
        }
        await self.socket.send_str(
            json.dumps(
                {
                    "header": header,
                    "parent_header": {},
                    "metadata": {},
                    "content": content,
                    "channel": channel,
                    "buffers": [],
                }
            )
        )
        reply, others, idle = None, [], False
        while not idle or (reply is None and kind.endswith("_request")):
            message = await queue.get()
            if message is None:
                raise ConnectionError("the kernel's connection closed")
            if message["msg_type"].endswith("_reply"):
                reply = message["content"]
            elif message["msg_type"] == "status":
                idle = message["content"]["execution_state"] == "idle"
            else:
                others.append(message)
        del self.waiting[id]
        return reply, others

    async def run(self, code):
        """(reply, outputs in the notebook's format)"""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        reply, others = await self._ask("shell", "execute_request", content)
        outputs = []
        for message in others:
            kind, content = message["msg_type"], message["content"]
            if kind in ("stream", "display_data", "execute_result", "error"):
                content.pop("transient", None)
                outputs.append({"output_type": kind, **content})
        return reply, outputs

    async def drag_sliders(self, values=10):
        """Move each slider over some of its values, as the browser tells the kernel of it; the
        number of moves."""
        moves = 0
        for comm, n in self.sliders.items():
            for index in range(min(n, values)):
                update = {
                    "comm_id": comm,
                    "data": {"method": "update", "state": {"index": index}, "buffer_paths": []},
                }
                await self._ask("shell", "comm_msg", update)
                moves += 1
        return moves

    async def restart(self):
        await self.student.ask("POST", f"{self.student.server}/api/kernels/{self.id}/restart")
        await self.close()
        self.sliders.clear()
        self.waiting.clear()
        await self.connect()
