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
import threading
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


def run(data, progress, log, cancelled):
    """The work itself. What it returns is the job's result; what it raises fails the job, which is then tried again.

    `cancelled()` is true once somebody has cancelled the job: raise anything, and it ends as cancelled.
    """
    limit, primes = data["up_to"], []
    for n in range(2, limit + 1):
        if cancelled():
            raise InterruptedError("cancelled")
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
# Coming back is left to `serve`: by itself the client would not after a server that was stopped in order.
sio = socketio.Client(reconnection=False)
running, cancels, problems, said = {}, {}, [], None
registered = threading.Event()


def report(event, **entry):
    """Until the server has heard it: a result is worth more than a connection."""
    while True:
        registered.wait()
        try:
            return sio.call(event, [entry], timeout=10)["ok"]
        except socketio.exceptions.SocketIOError:
            time.sleep(1)


def tell(event, **entry):
    """Once: without a connection nobody hears how far the job is, and the job goes on."""
    try:
        sio.emit(event, [entry])
    except socketio.exceptions.SocketIOError:
        pass


def say(text):
    """The same twice in a row is no news."""
    global said
    if text != said:
        print(text, flush=True)
    said = text


@sio.on("worker:beat")
def beat(_question):
    # The answer on this very connection keeps the lease; without it the jobs go to others.
    return {"running": list(running.values()), "free": 1 - len(running)}


@sio.on("job:assigned")
def assigned(jobs):
    for job in jobs:
        # All that is said about a job carries the token of the attempt: late, another worker may have the job.
        attempt = {"room": job["room"], "job": job["id"], "token": job["token"]}
        running[job["id"]], cancels[job["token"]] = attempt, threading.Event()
        report("job:started", **attempt)
        try:
            result = run(
                job["data"],
                lambda part, text: tell("job:progress", **attempt, fraction=part, message=text),
                lambda line: tell("job:log", **attempt, lines=[line]),
                cancels[job["token"]].is_set,
            )
        except Exception as error:
            report("job:failed", **attempt, error={"message": str(error), "name": type(error).__name__})
        else:
            report("job:completed", **attempt, result=result)
        del running[job["id"]], cancels[job["token"]]


@sio.on("job:cancel")
def cancel(orders):
    # It asks `run` to end. After a grace the server goes on without it, but this worker is busy until `run` returns.
    for order in orders:
        if order["token"] in cancels:
            cancels[order["token"]].set()


@sio.on("connect_error")
def not_connected(error):
    if isinstance(error, dict) and "data" in error:
        problems.append(error["data"])


def passes(problem):
    """A server that is full or starting says so, and so does one that has yet to forget this worker's last life."""
    return problem["status"] >= 500 or problem["status"] in (408, 429) or problem["code"] == "worker_lost"


def serve():
    """Until the connection ends; answers why. A refusal that does not pass ends the worker, in the server's words."""
    problems.clear()
    registered.clear()
    try:
        sio.connect(url, auth={"token": token}, transports=["websocket"], wait_timeout=10)
        # The same id after a restart, and what it still runs: the server gives everything else to others at once.
        worker = {"id": f"python-{platform.node()}-{room}-{name}", "attempts": list(running.values())}
        extension = {"room": room, "category": category, "name": name, "schema": schema}
        answer = sio.call("extension:register", {"worker": worker, "extensions": [extension]}, timeout=20)
        if answer["ok"]:
            registered.set()
            say(f"serves {category}/{name} in {room} at {url}")
            sio.wait()
            return "the server went away"
        problems.append(answer["problem"])
    except (socketio.exceptions.SocketIOError, ValueError) as error:  # ValueError: the last connection still closes.
        trouble = f"cannot reach {url} ({error})"
    sio.disconnect()
    for problem in problems:
        trouble = problem["detail"]
        if not passes(problem):
            raise SystemExit(trouble)
    return trouble


if __name__ == "__main__":
    try:
        while True:
            say(f"{serve()}; trying again")
            time.sleep(1)
    except KeyboardInterrupt:
        sio.disconnect()
