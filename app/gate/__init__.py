"""The gate: what stands between the network and the app, so that who is slow, endless or many holds nobody else up.

It lies below the app, in the server's worker: what it refuses never reaches a route, a limit or the database.
"""
