"""The files for nginx and Caddy do what docs/deploy.md promises of them, before a real server."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.live import LiveServer, live_server
from tests.proxies import NAME, Caddy, Nginx, Proxy, Visitor, running, tool

NEWCOMERS_A_MINUTE = 60
TOO_LARGE = {"name": "x" * 16_384}


@pytest.fixture(scope="module")
def service() -> Iterator[LiveServer]:
    with live_server(TRUSTED_PROXIES="1", RATE_LIMITS="on") as server:
        yield server


def installed(kind: type[Proxy]) -> type[Proxy]:
    if tool(kind.__name__.lower()) is None:
        pytest.skip(f"{kind.__name__} is not installed here")
    return kind


@pytest.fixture(scope="module", params=[Nginx, Caddy], ids=["nginx", "caddy"])
def kind(request: pytest.FixtureRequest) -> type[Proxy]:
    return installed(request.param)


@pytest.fixture(scope="module")
def proxy(kind: type[Proxy], service: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with running(kind, tmp_path_factory.mktemp("proxy"), service.port) as before:
        yield before


def new_token(visitor: Visitor) -> str:
    answer, made = visitor.ask("POST", "/api/v1/players", {})
    assert answer.status == 201, made
    token: str = made["token"]
    return token


def requests_seen(service: LiveServer, route: str) -> int:
    return service.log_text().count(f"route={route} ")


@contextmanager
def silent_server() -> Iterator[socket.socket]:
    """What listens in the service's place, and tells who came."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(20)
        yield listening


def next_request(listening: socket.socket) -> bytes:
    came, _ = listening.accept()
    with came:
        return came.recv(4096)


def test_the_page_comes_encrypted_for_good(proxy: Proxy) -> None:
    answer, page = Visitor(proxy).ask("GET", "/r/KTRMSA%D8%8C", None)
    assert (answer.status, answer.headers["Location"]) == (301, "/r/KTRMSA")
    answer, page = Visitor(proxy).ask("GET", "/r/KTRMSA")
    assert answer.status == 200 and "<main" in page
    assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]
    assert f'content="https://{NAME}:{proxy.port}/r/KTRMSA"' in page
    if isinstance(proxy, Nginx):
        plain = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=20)
        plain.request("GET", "/r/KTRMSA")
        assert plain.getresponse().headers["Location"] == f"https://{NAME}:{proxy.port}/r/KTRMSA"
        plain.close()


def test_a_match_is_played_through_it(proxy: Proxy) -> None:
    visitor = Visitor(proxy)
    token = new_token(visitor)
    known = {"Authorization": f"Bearer {token}"}
    _, room = visitor.ask("POST", "/api/v1/rooms", {"target": None}, **known)
    channel = visitor.channel(room["code"], token)
    assert channel.until_type("room")["room"]["code"] == room["code"]
    visitor.ask("POST", f"/api/v1/rooms/{room['code']}/bots", {"seat": 1}, **known)
    match_id = channel.until_type("events")["match"]
    answer, said = visitor.ask("POST", f"/api/v1/matches/{match_id}/forfeits", {}, **known)
    assert answer.status == 201, said
    ended = channel.until(lambda message: message["type"] == "events" and message["view"]["result"] is not None)
    assert ended[-1]["view"]["result"]["reason"] == "forfeit"
    channel.close()


def test_a_cookie_is_good_for_commands_from_the_page_itself_only(proxy: Proxy) -> None:
    visitor = Visitor(proxy)
    own = f"https://{NAME}:{proxy.port}"
    answer, _ = visitor.ask("POST", "/api/v1/players", {"session": True}, Origin=own)
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    assert visitor.ask("POST", "/api/v1/rooms", {}, Origin=own, Cookie=cookie)[0].status == 201
    assert visitor.ask("POST", "/api/v1/rooms", {}, Origin="https://evil.example", Cookie=cookie)[0].status == 403


def test_everybodys_address_is_counted_as_their_own(proxy: Proxy) -> None:
    block = "127.0.1" if isinstance(proxy, Nginx) else "127.0.2"  # both stand before one service
    crowd, neighbour = Visitor(proxy, f"{block}.7"), Visitor(proxy, f"{block}.8")
    answers = [
        # Whatever they say of themselves, and however often they say another thing.
        crowd.ask("POST", "/api/v1/players", {}, X_Forwarded_For=f"192.0.2.{number}", Forwarded=f"for=192.0.2.{number}")
        for number in range(NEWCOMERS_A_MINUTE + 1)
    ]
    assert [answer.status for answer, _ in answers[:-1]].count(201) == NEWCOMERS_A_MINUTE
    assert answers[-1][0].status == 429
    assert neighbour.ask("POST", "/api/v1/players", {})[0].status == 201


def test_what_is_too_large_is_refused_before_the_service_hears_of_it(proxy: Proxy, service: LiveServer) -> None:
    visitor = Visitor(proxy)
    before = requests_seen(service, "/api/v1/players")
    answer, problem = visitor.ask("POST", "/api/v1/players", TOO_LARGE)
    assert answer.status == 413
    assert (problem["code"], problem["status"]) == ("request.too_large", 413)
    with visitor.raw() as line:
        # Announced, and never sent: nobody waits for it.
        head = f"POST /api/v1/players HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Content-Length: 50000000000\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 413")
    with visitor.raw() as line:
        chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk + chunk + b"0\r\n\r\n")
        assert line.recv(100)[:13] in (b"HTTP/1.1 413 ", b"HTTP/1.1 502 ")
    assert visitor.ask("GET", "/api/v1/rules", X=("x" * 40_000))[0].status in (400, 431)
    new_token(visitor)  # and all that came before it is in the log by now
    # Caddy cuts a body of untold length off, and passes on what it has; the service refuses that.
    passed_on = 1 if isinstance(proxy, Caddy) else 0
    assert requests_seen(service, "/api/v1/players") == before + 1 + passed_on


def test_a_body_that_is_slow_does_not_reach_the_service(kind: type[Proxy], tmp_path: Path) -> None:
    head = f"Host: {NAME}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n".encode()
    with silent_server() as listening, running(kind, tmp_path, listening.getsockname()[1]) as proxy:
        slow, quick = Visitor(proxy).raw(), Visitor(proxy).raw()
        slow.sendall(b"POST /slow HTTP/1.1\r\n" + head + b"{")
        quick.sendall(b"POST /quick HTTP/1.1\r\n" + head + b"{}")
        assert next_request(listening).startswith(b"POST /quick ")
        slow.sendall(b"}")
        assert next_request(listening).startswith(b"POST /slow ")
        slow.close()
        quick.close()


def test_who_finds_the_service_away_is_told_to_come_back(kind: type[Proxy], tmp_path: Path) -> None:
    with silent_server() as listening:
        away = listening.getsockname()[1]
    with running(kind, tmp_path, away) as proxy:
        answer, problem = Visitor(proxy).ask("GET", "/api/v1/rules")
    assert answer.status in (502, 503)
    assert problem["code"] == "unavailable"


def test_one_address_has_its_share_of_connections(service: LiveServer, tmp_path: Path) -> None:
    # Caddy counts none; docs/deploy.md says what does it there.
    with running(installed(Nginx), tmp_path, service.port, connections=2) as proxy:
        crowd, neighbour = Visitor(proxy, "127.0.0.9"), Visitor(proxy, "127.0.0.10")
        token = new_token(crowd)
        _, room = crowd.ask("POST", "/api/v1/rooms", {}, Authorization=f"Bearer {token}")
        open_ones = [crowd.channel(room["code"], token) for _ in range(2)]
        for channel in open_ones:
            channel.until_type("room")
        answer, problem = crowd.ask("GET", "/api/v1/rules")
        assert (answer.status, problem["code"]) == (429, "rate_limited")
        assert neighbour.ask("GET", "/api/v1/rules")[0].status == 200
        for channel in open_ones:
            channel.close()


def test_neither_keys_nor_secrets_are_written_down(kind: type[Proxy], service: LiveServer, tmp_path: Path) -> None:
    with running(kind, tmp_path, service.port) as proxy:
        visitor = Visitor(proxy, "127.0.0.11")
        token = new_token(visitor)
        known = {"Authorization": f"Bearer {token}", "Cookie": "basra_session=cookie-secret"}
        _, room = visitor.ask("POST", "/api/v1/rooms", {}, **known)
        for path in (f"/r/{room['code']}", f"/api/v1/rooms/{room['code']}", f"/{room['code']}?code={room['code']}"):
            visitor.ask("GET", path, **known)
        visitor.ask("POST", f"/api/v1/rooms/{room['code']}/joins", TOO_LARGE, **known)
    written = proxy.logs()
    assert written.count("127.0.0.11") >= 6
    for secret in (token, "cookie-secret", room["code"], room["code"].lower()):
        assert secret not in written


def test_who_asks_for_another_name_learns_nothing(proxy: Proxy) -> None:
    for path in ("/", "/api/v1/rules"):
        _, told = Visitor(proxy).ask("GET", path, Host="evil.example")
        assert "<main" not in told and "items" not in told, told
