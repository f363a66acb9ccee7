"""The operator's own proxies: as many as are declared are believed, and one that is not is told of."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app.config import DECLARE_PROXY
from app.observability import log

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# What only a proxy sends, as WSGI names it.
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED")


class Undeclared:
    """Tells once of a request that came through a proxy, where none is declared; nothing it says is believed."""

    def __init__(self, serve: WSGIApplication) -> None:
        self._serve = serve
        self._has_told = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Serve the request as it is."""
        if not self._has_told and any(name in environ for name in FORWARDED):
            self._has_told = True
            log("proxy_not_declared", level=logging.WARNING, cure=DECLARE_PROXY)
        return self._serve(environ, start_response)


def init_app(app: Flask) -> None:
    """Take the caller's address and scheme from the declared proxies."""
    hops = app.extensions["settings"].trusted_proxies
    if hops:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops)  # type: ignore[method-assign]
    else:
        app.wsgi_app = Undeclared(app.wsgi_app)  # type: ignore[method-assign]
