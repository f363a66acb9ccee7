"""Settings, read once from the environment and typed; what is unsafe is refused with the cure in the message."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from flask import current_app

ROOT = Path(__file__).resolve().parent.parent
INSTANCE = ROOT / "instance"
SQLITE = "sqlite:///"
# What the body of a request may have.
BODY_MOST_BYTES = 16 * 1024
# A socket holds one thread in the threaded fallback; this share of the threads always stays free for plain HTTP.
THREADS_KEPT_FOR_HTTP = 0.5
# Connections beside the channels: pages, programs, and whoever keeps one open for a while.
PLAIN_CONNECTIONS = 1000
# So much one address may have of what there is: thousands may sit behind one, and all of it none may have.
SHARE_OF_AN_ADDRESS = 0.5
MOST_DAYS = 36_500
LINE_MOST = 200


class ConfigError(Exception):
    """A setting that cannot be served with; the message says what to change."""


@dataclass(frozen=True)
class Settings:
    """Everything the service can be told from outside."""

    host: str
    port: int
    database_url: str
    public_url: str
    production: bool
    rate_limits: bool
    service_worker: bool
    bot_pause_s: tuple[float, float]
    trusted_proxies: int
    worker_class: str
    threads: int
    max_connections: int
    max_connections_per_address: int | None
    max_threads_per_address: int | None
    max_sockets: int
    max_sockets_per_player: int | None
    max_sockets_per_address: int | None
    # For how many days something is kept that nobody needs any more; 0 is for ever.
    keep_guests_days: int
    keep_rooms_days: int
    keep_messages_days: int
    keep_reports_days: int

    # Where people reach who runs the service; "" if that is said nowhere.
    contact: str

    @property
    def secure(self) -> bool:
        """Whether players reach the service over https."""
        return self.public_url.startswith("https://")

    @property
    def sqlite_path(self) -> Path | None:
        """The database's file, or None if it is a server."""
        path = self.database_url.removeprefix(SQLITE)
        return None if path == self.database_url else Path(path)


def settings() -> Settings:
    """The settings of the current application."""
    found: Settings = current_app.extensions["settings"]
    return found


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings from an environment.

    Errors: ConfigError for a value that is malformed or unsafe.
    """
    host = environ.get("HOST") or "127.0.0.1"
    port = _number(environ, "PORT", 8000, 1, 65535)
    public_url = _public_url(environ, host, port)
    production = _production(environ, public_url)
    _refuse_several_processes(environ)
    worker_class = _choice(environ, "WORKER_CLASS", ("gevent", "gthread"))
    threads = _number(environ, "THREADS", 64, 2, 1000)
    threaded = worker_class == "gthread"
    sockets = int(threads * (1 - THREADS_KEPT_FOR_HTTP)) if threaded else 2000
    max_sockets = _number(environ, "MAX_SOCKETS", sockets, 1, sockets if threaded else 100_000)
    max_connections = max_sockets + PLAIN_CONNECTIONS
    rate_limits = _rate_limits(environ, public_url)

    def cap(name: str, default: float, most: int) -> int | None:
        """What one visitor may have of something: without rate limits as much as they like, unless it is asked for."""
        if not rate_limits and not environ.get(name):
            return None
        return _number(environ, name, max(1, int(default)), 1, most)

    return Settings(
        contact=_line(environ, "CONTACT"),
        host=host,
        port=port,
        database_url=_database_url(environ.get("DATABASE_URL") or ""),
        public_url=public_url,
        production=production,
        rate_limits=rate_limits,
        service_worker=_choice(environ, "SERVICE_WORKER", ("on", "off")) == "on",
        bot_pause_s=_span(environ, "BOT_PAUSE_S", "0.6-1.5"),
        trusted_proxies=_number(environ, "TRUSTED_PROXIES", 0, 0, 10),
        worker_class=worker_class,
        threads=threads,
        max_connections=max_connections,
        max_connections_per_address=cap(
            "MAX_CONNECTIONS_PER_ADDRESS", max_connections * SHARE_OF_AN_ADDRESS, max_connections
        ),
        max_threads_per_address=max(1, int(threads * SHARE_OF_AN_ADDRESS)) if threaded and rate_limits else None,
        max_sockets=max_sockets,
        max_sockets_per_player=cap("MAX_SOCKETS_PER_PLAYER", 8, 1000),
        max_sockets_per_address=cap("MAX_SOCKETS_PER_ADDRESS", max_sockets * SHARE_OF_AN_ADDRESS, max_sockets),
        keep_guests_days=_number(environ, "KEEP_GUESTS_DAYS", 90, 0, MOST_DAYS),
        keep_rooms_days=_number(environ, "KEEP_ROOMS_DAYS", 30, 0, MOST_DAYS),
        keep_messages_days=_number(environ, "KEEP_MESSAGES_DAYS", 180, 0, MOST_DAYS),
        keep_reports_days=_number(environ, "KEEP_REPORTS_DAYS", 180, 0, MOST_DAYS),
    )


# What whoever runs the service can put right, said at the start and once more when a request shows it.
DECLARE_PROXY = (
    "set TRUSTED_PROXIES to the number of your own proxies in front, or all their players count as one address; "
    "docs/deploy.md has tested files for Caddy and nginx"
)
_UNENCRYPTED = (
    "is not encrypted, so anybody on the way can read sessions and passwords: put a proxy with a certificate in front "
    "(docs/deploy.md has tested files) and give PUBLIC_URL=https://…"
)


def concerns(found: Settings) -> list[str]:
    """What is served with, but not as it should be, each with its cure."""
    said = []
    if found.production and not found.secure and not is_loopback(found.public_url):
        said.append(f"PUBLIC_URL={found.public_url} {_UNENCRYPTED}")
    if found.secure and not found.trusted_proxies:
        said.append(f"PUBLIC_URL={found.public_url} is served by a proxy that is not declared: {DECLARE_PROXY}")
    return said


# A HOST that stands for every address of the machine; nobody can open it as such.
EVERY_ADDRESS = ("0.0.0.0", "::")


def is_loopback(url: str) -> bool:
    """Whether only this machine can reach the URL."""
    name = urlsplit(url).hostname or ""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _public_url(environ: Mapping[str, str], host: str, port: int) -> str:
    url = environ.get("PUBLIC_URL", "").rstrip("/") or _own_url(host, port)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query or parts.fragment:
        raise ConfigError(f"PUBLIC_URL={url!r} is no web address: give scheme and host, like https://basra.example.org")
    return url


def _own_url(host: str, port: int) -> str:
    """The address that this machine itself can open."""
    if host in EVERY_ADDRESS:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _production(environ: Mapping[str, str], public_url: str) -> bool:
    asked = _choice(environ, "APP_ENV", ("development", "production")) == "production"
    if asked and not environ.get("PUBLIC_URL"):
        raise ConfigError(
            "APP_ENV=production needs PUBLIC_URL, the address that players open, like https://basra.example.org: "
            "links and the check of the request's origin depend on it"
        )
    if asked and public_url.startswith("http://") and not is_loopback(public_url):
        raise ConfigError(f"PUBLIC_URL={public_url} {_UNENCRYPTED}")
    return asked or not is_loopback(public_url)


def _refuse_several_processes(environ: Mapping[str, str]) -> None:
    if environ.get("REDIS_URL"):
        raise ConfigError(
            "REDIS_URL is set, but this release keeps channels, rate limits and presence in its one process and would "
            "not use it: unset REDIS_URL"
        )
    if _number(environ, "WEB_CONCURRENCY", 1, 1, 1000) > 1:
        raise ConfigError(
            "WEB_CONCURRENCY is more than 1, but channels, rate limits and the clock live in one process, and players "
            "on another one would miss the news: unset WEB_CONCURRENCY or set it to 1"
        )
    if _choice(environ, "CLOCK", ("embedded", "process")) == "process":
        raise ConfigError(
            "CLOCK=process would play late turns in another process, whose news cannot reach the players' channels in "
            "this release: unset CLOCK or set CLOCK=embedded"
        )


def _rate_limits(environ: Mapping[str, str], public_url: str) -> bool:
    on = _choice(environ, "RATE_LIMITS", ("on", "off")) == "on"
    if not on and not is_loopback(public_url):
        raise ConfigError(
            f"RATE_LIMITS=off is for tests on one machine, but PUBLIC_URL={public_url} can be reached from others: "
            "unset RATE_LIMITS"
        )
    return on


def _database_url(url: str) -> str:
    """The URL as SQLAlchemy wants it: any common spelling of PostgreSQL goes to psycopg."""
    if not url:
        return f"{SQLITE}{INSTANCE / 'basra.sqlite3'}"
    for spelling in ("postgres://", "postgresql://", "postgresql+psycopg://"):
        if url.startswith(spelling):
            return "postgresql+psycopg://" + url.removeprefix(spelling)
    path = url.removeprefix(SQLITE)
    if path not in ("", url, ":memory:") and not path.startswith("file:") and "?" not in path:
        # Whoever opens a relative path, from whichever folder, means the same file: the lock lies beside the database.
        return f"{SQLITE}{INSTANCE / path}"
    raise ConfigError(
        f"DATABASE_URL begins with {url.split(':')[0]!r}; use sqlite:////absolute/path/of/a/file or "
        "postgresql://user:password@host/name"
    )


def _choice(environ: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = environ.get(name) or choices[0]
    if value not in choices:
        raise ConfigError(f"{name}={value!r} is unknown: use {' or '.join(choices)}")
    return value


def _line(environ: Mapping[str, str], name: str) -> str:
    text = environ.get(name, "").strip()
    if len(text) > LINE_MOST or not text.isprintable():
        raise ConfigError(f"{name} is no line of up to {LINE_MOST} characters: give an email address or a link")
    return text


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environ.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise ConfigError(f"{name}={text!r} is not a whole number from {least} to {most}")
    return int(text)


def _span(environ: Mapping[str, str], name: str, default: str) -> tuple[float, float]:
    text = environ.get(name) or default
    try:
        low, _, high = text.partition("-")
        span = (float(low), float(high or low))
    except ValueError:
        span = (-1.0, -1.0)
    if not 0 <= span[0] <= span[1] <= 60:
        raise ConfigError(f"{name}={text!r} is no span of seconds: use one like {default}, or a single number")
    return span
