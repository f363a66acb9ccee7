"""News to those who listen: the hub of this process, the channel of a room, and how news becomes messages."""

from app.realtime.publication import publish
from app.realtime.routes import init_app

__all__ = ["init_app", "publish"]
