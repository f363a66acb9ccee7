"""Settings are typed, and what is unsafe is refused with its cure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.config import ROOT, ConfigError, concerns, is_loopback, read_settings
from app.extensions import db


def test_the_defaults_serve_this_machine_from_a_file() -> None:
    found = read_settings({})
    assert (found.host, found.port, found.public_url) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert found.sqlite_path is not None
    assert found.sqlite_path.parts[-2:] == ("instance", "basra.sqlite3")
    assert found.rate_limits
    assert not found.production
    assert found.bot_pause_s == (0.6, 1.5)


@pytest.mark.parametrize("spelling", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_goes_to_psycopg(spelling: str) -> None:
    found = read_settings({"DATABASE_URL": f"{spelling}://me:secret@db/basra"})
    assert found.database_url == "postgresql+psycopg://me:secret@db/basra"
    assert found.sqlite_path is None


@pytest.mark.parametrize("folder", [".", "a/b"])
def test_the_lock_of_a_relative_path_lies_beside_its_database(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / folder)
    app = create_app(read_settings({"DATABASE_URL": "sqlite:///relative.sqlite3"}))
    with app.app_context():
        opened = db.engine.url.database
    assert opened == str(app.extensions["settings"].sqlite_path) == str(ROOT / "instance" / "relative.sqlite3")


def test_a_public_address_makes_it_production() -> None:
    found = read_settings({"PUBLIC_URL": "https://basra.example.org/"})
    assert found.production
    assert found.secure
    assert found.public_url == "https://basra.example.org"


@pytest.mark.parametrize(
    ("environ", "cure"),
    [
        ({"PORT": "eighty"}, "PORT='eighty' is not a whole number from 1 to 65535"),
        ({"PORT": "70000"}, "from 1 to 65535"),
        ({"PUBLIC_URL": "basra.example.org"}, "give scheme and host"),
        ({"PUBLIC_URL": "https://example.org/basra"}, "give scheme and host"),
        ({"APP_ENV": "production"}, "needs PUBLIC_URL"),
        ({"APP_ENV": "prod"}, "use development or production"),
        ({"APP_ENV": "production", "PUBLIC_URL": "http://basra.example.org"}, "give PUBLIC_URL=https://"),
        ({"RATE_LIMITS": "off", "PUBLIC_URL": "https://basra.example.org"}, "unset RATE_LIMITS"),
        ({"RATE_LIMITS": "no"}, "use on or off"),
        ({"WEB_CONCURRENCY": "2"}, "unset WEB_CONCURRENCY"),
        ({"REDIS_URL": "redis://localhost"}, "unset REDIS_URL"),
        ({"CLOCK": "process"}, "set CLOCK=embedded"),
        ({"DATABASE_URL": "mysql://db/basra"}, "use sqlite:"),
        ({"DATABASE_URL": "sqlite://"}, "use sqlite:"),
        ({"DATABASE_URL": "sqlite:///:memory:"}, "use sqlite:"),
        ({"DATABASE_URL": "sqlite:///"}, "use sqlite:"),
        ({"DATABASE_URL": "sqlite:///file:/tmp/basra?uri=true"}, "use sqlite:"),
        ({"DATABASE_URL": "sqlite:////tmp/basra?mode=ro"}, "use sqlite:"),
        ({"BOT_PAUSE_S": "2-1"}, "use one like 0.6-1.5"),
        ({"BOT_PAUSE_S": "soon"}, "use one like 0.6-1.5"),
        ({"BOT_PAUSE_S": "nan"}, "use one like 0.6-1.5"),
        ({"WORKER_CLASS": "gthread", "THREADS": "20", "MAX_SOCKETS": "11"}, "from 1 to 10"),
    ],
)
def test_what_cannot_be_served_with_is_refused_with_the_cure(environ: dict[str, str], cure: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings(environ)
    assert cure in str(refused.value)


@pytest.mark.parametrize(
    ("environ", "cures"),
    [
        ({}, []),
        ({"APP_ENV": "production", "PUBLIC_URL": "http://127.0.0.1:8000"}, []),
        ({"PUBLIC_URL": "http://192.168.1.5:8000"}, ["give PUBLIC_URL=https://"]),
        ({"PUBLIC_URL": "https://basra.example.org"}, ["set TRUSTED_PROXIES"]),
        ({"PUBLIC_URL": "https://basra.example.org", "TRUSTED_PROXIES": "1"}, []),
    ],
)
def test_what_is_served_with_but_should_not_be_is_said_with_the_cure(environ: dict[str, str], cures: list[str]) -> None:
    said = concerns(read_settings(environ))
    assert len(said) == len(cures)
    assert all(cure in concern for cure, concern in zip(cures, said, strict=True))


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_a_proxy_that_is_not_declared_is_told_of_once(
    make_app: Callable[..., Flask], header: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_app().test_client()
    client.get("/healthz")
    assert "proxy_not_declared" not in caplog.text
    for _ in range(3):
        client.get("/healthz", headers={header: "192.0.2.1"})
    assert caplog.text.count("proxy_not_declared") == 1
    assert "set TRUSTED_PROXIES" in caplog.text
    caplog.clear()
    make_app(TRUSTED_PROXIES="1").test_client().get("/healthz", headers={header: "192.0.2.1"})
    assert "proxy_not_declared" not in caplog.text


def test_a_database_password_is_in_no_message() -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings({"DATABASE_URL": "mysql://me:secret@db/basra"})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.2", "http://127.0.0.2:81"),
        ("0.0.0.0", "http://localhost:81"),
        ("::", "http://localhost:81"),
        ("::1", "http://[::1]:81"),
        ("basra.lan", "http://basra.lan:81"),
    ],
)
def test_the_address_that_is_told_can_be_opened(host: str, url: str) -> None:
    assert read_settings({"HOST": host, "PORT": "81"}).public_url == url


@pytest.mark.parametrize(
    "url", ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000", "http://a.localhost"]
)
def test_loopback_addresses(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize("url", ["http://192.168.1.5:8000", "https://localhost.example.org", "http://0.0.0.0"])
def test_other_addresses(url: str) -> None:
    assert not is_loopback(url)
