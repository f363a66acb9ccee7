"""The proxies of docs/deploy, started on loopback with the very files that are printed there, in front of a server."""

from __future__ import annotations

import getpass
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket

from tests.live import free_port, wait_until
from tests.runtime.people import Channel

DEPLOY = Path(__file__).parents[1] / "docs" / "deploy"
NAME = "localhost"
# From here on it has one option in place of the two that Debian's has.
CADDY_OF_ONE_OPTION = (2, 6, 3)


def tool(name: str) -> str | None:
    """The program, or None where it is not installed; Debian keeps nginx off the PATH of plain users."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


class Proxy:
    """One proxy that runs."""

    def __init__(self, folder: Path, server_port: int, connections: int) -> None:
        self.folder = folder
        self.port = free_port()
        self.server_port = server_port
        self.connections = connections
        self.process: subprocess.Popen[bytes] | None = None
        command = self.prepared()
        with (folder / "said.log").open("wb") as said:
            self.process = subprocess.Popen(command, stdout=said, stderr=said, env=self.environ())
        wait_until(self._listens, f"the proxy to listen; it says: {(folder / 'said.log').read_text()}")

    def prepared(self) -> list[str]:
        """Write the file with this machine's ports and paths; gives the command that starts the proxy with it."""
        raise NotImplementedError

    def environ(self) -> dict[str, str]:
        """What the proxy may know of this machine."""
        return {"HOME": str(self.folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def stop(self) -> None:
        """End it; what it has to log is logged by then."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)

    def logs(self) -> str:
        """All that it has written down."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def _listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "said.log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _certificate(self) -> None:
        name = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        files = ["-keyout", str(self.folder / "privkey.pem"), "-out", str(self.folder / "fullchain.pem")]
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *name, *files]
        subprocess.run(made, check=True, capture_output=True)


class Nginx(Proxy):
    """nginx, as its user starts it."""

    def prepared(self) -> list[str]:
        self._certificate()
        self.plain_port = free_port()
        written = _with(
            (DEPLOY / "nginx.conf").read_text(),
            {
                "user www-data;": f"user {getpass.getuser()};\ndaemon off;",
                "worker_processes auto;": "worker_processes 1;",
                "worker_rlimit_nofile 20000;": "",
                "/run/nginx.pid": str(self.folder / "nginx.pid"),
                "/var/log/nginx": str(self.folder),
                "/etc/ssl/basra": str(self.folder),
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
                "listen 443": f"listen 127.0.0.1:{self.port}",
                "https://basra.example$": f"https://{NAME}:{self.port}$",
                "server_name basra.example": f"server_name {NAME}",
                "127.0.0.1:8000": f"127.0.0.1:{self.server_port}",
                "limit_conn address 1000": f"limit_conn address {self.connections}",
            },
        )
        kept = "".join(
            f"{what}_temp_path {self.folder / what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(written.replace("http {\n", f"http {{\n{kept}", 1))
        start = ["-e", str(self.folder / "start.log"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        return [tool("nginx") or "nginx", *start]


class Caddy(Proxy):
    """Caddy, with a certificate of the test's own instead of a fetched one."""

    def prepared(self) -> list[str]:
        self._certificate()
        own = f"tls {self.folder / 'fullchain.pem'} {self.folder / 'privkey.pem'}"
        changes = {
            "\tadmin off": "\tadmin off\n\tauto_https disable_redirects",
            "\nbasra.example {": f"\nhttps://{NAME}:{self.port} {{\n\t{own}",
            "/var/log/caddy": str(self.folder),
            "127.0.0.1:8000": f"127.0.0.1:{self.server_port}",
        }
        if caddy_version() >= CADDY_OF_ONE_OPTION:
            changes |= {"\t\tbuffer_requests\n": "", "max_buffer_size": "request_buffers"}
        (self.folder / "Caddyfile").write_text(_with((DEPLOY / "Caddyfile").read_text(), changes))
        return [tool("caddy") or "caddy", "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]


def caddy_version() -> tuple[int, ...]:
    """What `caddy version` says, as numbers."""
    said = subprocess.run([tool("caddy") or "caddy", "version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:3]))


def _with(text: str, changes: dict[str, str]) -> str:
    for printed, here in changes.items():
        assert printed in text, f"{printed!r} is in the file no more"
        text = text.replace(printed, here)
    return text


@contextmanager
def running(kind: type[Proxy], folder: Path, server_port: int, connections: int = 1000) -> Iterator[Proxy]:
    """Run a proxy in front of a server's port until the block ends."""
    proxy = kind(folder, server_port, connections)
    try:
        yield proxy
    finally:
        proxy.stop()


class Visitor:
    """Somebody at a proxy, at an address of their own on loopback."""

    def __init__(self, proxy: Proxy, address: str = "127.0.0.1") -> None:
        self.proxy = proxy
        self.address = address
        self.context = ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[http.client.HTTPResponse, Any]:
        """Ask once; gives the answer, and its body, read as JSON where it is."""
        line = http.client.HTTPSConnection(
            NAME, self.proxy.port, timeout=20, context=self.context, source_address=(self.address, 0)
        )
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            line.request(method, path, None if body is None else json.dumps(body), sent)
            answer = line.getresponse()
            text = answer.read().decode()
            return answer, json.loads(text) if "json" in answer.headers.get("Content-Type", "") and text else text
        finally:
            line.close()

    def raw(self) -> ssl.SSLSocket:
        """A connection to write on by hand."""
        plain = socket.create_connection(("127.0.0.1", self.proxy.port), 20, (self.address, 0))
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def channel(self, code: str, token: str) -> Channel:
        """Open a room's channel through the proxy."""
        url = f"wss://{NAME}:{self.proxy.port}/api/v1/rooms/{code}/channel"
        header = {"Authorization": f"Bearer {token}"}
        return Channel(
            websocket.create_connection(url, timeout=20, socket=self.raw(), suppress_origin=True, header=header)
        )
