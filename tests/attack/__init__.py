"""An attack: every flood that one visitor can think of, at once, on a real server at which two people play.

    python -m tests.attack            # a minute, against a server of its own on the loopback address
    python -m tests.attack --seconds 15

It fails if the slowest move of the two is more than three times as slow as when it is quiet.
"""
