"""A Millrace worker in Python: one extension, which everybody in the room can run.

    python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
    .venv/bin/python worker.py
    npx millrace submit Primes --set up_to=1000 --follow

It serves the server you are signed in to (`millrace dev` signs you in by itself), or the one that MILLRACE_URL,
MILLRACE_TOKEN and MILLRACE_ROOM name. What you want to change stands in the first two blocks.
"""

import json
import os
import platform
import time
from pathlib import Path

import socketio

# The form that people fill in is made from this JSON Schema; the server checks jobs against it and fills in defaults.
category, name = "analysis", "Primes"
schema = {
    "type": "object",
    "description": "Counts the primes up to a number.",
    "properties": {"up_to": {"type": "integer", "minimum": 2, "maximum": 1_000_000, "default": 1000}},
    "additionalProperties": False,
}


def run(data, progress, log):
    """The work itself. What it returns is the job's result; what it raises fails the job, which is then tried again."""
    limit, primes = data["up_to"], []
    for n in range(2, limit + 1):
        if all(n % p for p in primes if p * p <= n):
            primes.append(n)
        if n % (limit // 10 + 1) == 0:
            progress(n / limit, f"{len(primes)} primes so far")
    log(f"looked at {limit - 1} numbers")
    return {"count": len(primes), "largest": primes[-1]}


def target():
    """Where the server is, the credential, and the room: the environment's, or those of the last `millrace login`."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    file = Path(os.environ.get("MILLRACE_PROFILES") or config / "millrace" / "profiles.json")
    kept = json.loads(file.read_text()) if file.exists() else {"current": None, "profiles": {}}
    profile = kept["profiles"].get(os.environ.get("MILLRACE_PROFILE") or kept["current"], {})
    url = os.environ.get("MILLRACE_URL") or profile.get("url", "http://127.0.0.1:7717")
    token = os.environ.get("MILLRACE_TOKEN") or (profile.get("token") if profile.get("url") == url else None)
    room = os.environ.get("MILLRACE_ROOM") or profile.get("room")
    if not token or not room:
        raise SystemExit("No credential or no room: `millrace login`, or set MILLRACE_TOKEN and MILLRACE_ROOM.")
    return url, token, room


url, token, room = target()
sio = socketio.Client()  # Comes back by itself after a broken connection, and `connect` then registers again.
running = {}


def report(event, **entry):
    """Until the server has heard it: a result is worth more than a connection."""
    while True:
        try:
            return sio.call(event, [entry])["ok"]
        except socketio.exceptions.SocketIOError:
            time.sleep(1)


@sio.on("connect")
def connect():
    # The same id after a restart, and what it still runs: the server gives everything else to others at once.
    worker = {"id": f"python-{platform.node()}-{room}-{name}", "attempts": list(running.values())}
    extension = {"room": room, "category": category, "name": name, "schema": schema}
    answer = sio.call("extension:register", {"worker": worker, "extensions": [extension]})
    print(f"serves {category}/{name} in {room} at {url}" if answer["ok"] else answer["problem"]["detail"], flush=True)


@sio.on("worker:beat")
def beat(_question):
    # The answer on this very connection keeps the lease; without it the jobs go to others.
    return {"running": list(running.values()), "free": 1 - len(running)}


@sio.on("job:assigned")
def assigned(jobs):
    for job in jobs:
        # All that is said about a job carries the token of the attempt: late, another worker may have the job.
        attempt = {"room": job["room"], "job": job["id"], "token": job["token"]}
        running[job["id"]] = attempt
        report("job:started", **attempt)
        try:
            result = run(
                job["data"],
                lambda part, text: sio.emit("job:progress", [{**attempt, "fraction": part, "message": text}]),
                lambda line: sio.emit("job:log", [{**attempt, "lines": [line]}]),
            )
        except Exception as error:
            report("job:failed", **attempt, error={"message": str(error), "name": type(error).__name__})
        else:
            report("job:completed", **attempt, result=result)
        del running[job["id"]]


if __name__ == "__main__":
    try:
        sio.connect(url, auth={"token": token}, transports=["websocket"])
        sio.wait()
    except socketio.exceptions.ConnectionError as error:
        raise SystemExit(f"{url} does not take this worker: {error}")
    except KeyboardInterrupt:
        sio.disconnect()
