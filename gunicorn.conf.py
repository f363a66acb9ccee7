"""How gunicorn serves Basra: one process, gevent, sockets closed at once when it is told to stop.

The only place that imports gevent. WORKER_CLASS=gthread is the fallback.
"""

import _thread
import os
import resource
import signal
import sys
import time

if os.environ.get("WORKER_CLASS", "gevent") == "gevent":
    # Before anything else is imported, also in the master: later would leave locks behind that block the whole loop.
    from gevent import monkey

    monkey.patch_all()

from gunicorn.arbiter import Arbiter

from app.config import ConfigError, concerns, is_loopback, read_settings
from app.gate.line import IDLE_S
from app.gate.workers import GeventGate, ThreadGate
from app.observability import ServerLog

# The database's connections, the log, the pages being read.
FILES_OF_OUR_OWN = 200

try:
    _settings = read_settings(os.environ)
except ConfigError as _error:
    sys.exit(f"Basra does not start: {_error}")

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = 1
if _settings.worker_class == "gevent":
    from gunicorn.workers.ggevent import GeventWorker

    class Worker(GeventGate, GeventWorker):
        """A greenlet a connection, behind the gate."""

        settings = _settings
else:
    from gunicorn.workers.gthread import ThreadWorker

    class Worker(ThreadGate, ThreadWorker):
        """A thread a request, behind the gate."""

        settings = _settings


def _files():
    """How many files may be open, connections among them, after asking for all that we may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return sys.maxsize if most == resource.RLIM_INFINITY else most


worker_class = Worker
threads = _settings.threads if _settings.worker_class == "gthread" else 1
# Who is let in and then finds no file left would fail in the middle of something.
worker_connections = max(1, min(_settings.max_connections, _files() - FILES_OF_OUR_OWN))
keepalive = IDLE_S
graceful_timeout = 5
timeout = 60
loglevel = "warning"
# Nobody uses it, and it would be one more way in.
control_socket_disable = True
logger_class = ServerLog
# The forwarding headers are read by the app alone, which counts the proxies it may trust.
forwarded_allow_ips = ""

# How long stopping waits for what is being answered; with all else it takes less than two seconds.
STOP_S = 1.2

_running = set()


def on_starting(server):
    """Refuse several processes, whichever way they were asked for."""
    if server.cfg.workers != 1:
        sys.exit(
            "Basra does not start: --workers is not 1, but channels, rate limits and the clock live in one process. "
            "Leave --workers out"
        )


def post_worker_init(worker):
    """Migrate, start the clock, say where it serves."""
    from app.jobs import ClockTaken
    from app.serving import NotMigrated, start

    try:
        start(worker.app.callable, _aside())
    except (ClockTaken, NotMigrated) as error:
        print(f"Basra does not start: {error}", file=sys.stderr, flush=True)
        sys.exit(Arbiter.WORKER_BOOT_ERROR)  # any other status, and the master would try again for ever
    # A handler may have interrupted whoever holds a lock that stopping needs: the work is a thread's. And not a
    # threading.Thread's, which waits until the thread runs: that may not be done in the event loop.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda *_: _thread.start_new_thread(_stop, (worker,)))
    for concern in concerns(_settings):
        print(f"Warning: {concern}", file=sys.stderr, flush=True)
    print(f"Basra is at {_settings.public_url}", flush=True)
    if "PUBLIC_URL" not in os.environ and not is_loopback(f"//{_settings.host}"):
        print("Links to rooms carry this address: set PUBLIC_URL to the one that others reach it by", flush=True)


def pre_request(worker, req):
    """Know what is being answered, so that stopping waits for that and for nothing else."""
    _running.add(req)


def post_request(worker, req, environ, resp):
    """Let others go on: a connection that always has its next request ready would hold the loop."""
    _running.discard(req)
    time.sleep(0)


def worker_exit(server, worker):
    """End without Python's tidying up, which takes half a second and has nothing left to do."""
    if worker.booted:
        _end()


def _aside():
    """What runs a long computation in a thread of the system, while the event loop goes on; threads need nothing."""
    if _settings.worker_class != "gevent":
        return None
    from gevent.threadpool import ThreadPool

    return ThreadPool(4).apply


def _stop(worker):
    """Close channels at once and leave the clock; end as soon as the requests of this moment have their answers."""
    from app.serving import stop

    give_up = time.monotonic() + STOP_S
    # Who has an answer from now on is told that the connection ends. New requests still come, and are not waited for.
    worker.alive = False
    waited_for = set(_running)
    stop(worker.app.callable)
    while waited_for & _running and time.monotonic() < give_up:
        time.sleep(0.02)
    _end()


def _end():
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
