"""The service of Basra: a Flask application around the engine."""

from __future__ import annotations

import os

from flask import Flask

from app import api, cli, guesses, limits, observability, problems, proxies, realtime
from app.api.health import health
from app.config import Settings, read_settings
from app.extensions import init_database
from app.services.passwords import Hasher


def create_app(settings: Settings | None = None) -> Flask:
    """Build the application, from the environment unless settings are given; nothing is started or migrated yet."""
    app = Flask(__name__, static_folder=None, instance_relative_config=False)
    app.extensions["settings"] = settings or read_settings(os.environ)
    observability.init_app(app)
    init_database(app)
    app.extensions["hasher"] = Hasher()
    limits.init_app(app)
    guesses.init_app(app)
    for part in (problems, realtime, api, cli):
        part.init_app(app)
    app.register_blueprint(health)
    proxies.init_app(app)
    return app
