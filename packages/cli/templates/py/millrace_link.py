"""The link between a worker in Python and a Millrace server: `serve(category, name, schema, run)` and what it needs.

It speaks Socket.IO over one connection that it opens itself; docs/protocol.md has every message. One job at a time.
"""

import itertools
import json
import os
import platform
import threading
import time
from pathlib import Path

import socketio

# Coming back is left to `serve`: by itself the client would not after a server that was stopped in order.
sio = socketio.Client(reconnection=False)
running, cancels, problems, said = {}, {}, [], None
registered = threading.Event()


def serve(category, name, schema, run):
    """Until Ctrl-C, however often the server goes away. A refusal that does not pass ends it, in the server's words."""
    url, token, room = target()
    # The same id after a restart: the server then gives what it had been running to others at once.
    worker = f"python-{platform.node()}-{room}-{name}"
    extension = {"room": room, "category": category, "name": name, "schema": schema}
    sio.on("job:assigned", lambda jobs: [run_job(job, run) for job in jobs])
    try:
        while True:
            say(f"{connected(url, token, worker, extension)}; trying again")
            time.sleep(1)
    except KeyboardInterrupt:
        sio.disconnect()


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


def connected(url, token, worker, extension):
    """Serves until the connection ends; answers why it did."""
    problems.clear()
    registered.clear()
    try:
        sio.connect(url, auth={"token": token}, transports=["websocket"], wait_timeout=10)
        about = {"id": worker, "attempts": list(running.values())}
        answer = sio.call("extension:register", {"worker": about, "extensions": [extension]}, timeout=20)
        if answer["ok"]:
            registered.set()
            say(f"serves {extension['category']}/{extension['name']} in {extension['room']} at {url}")
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


def passes(problem):
    """A server that is full or starting says so, and so does one that has yet to forget this worker's last life."""
    return problem["status"] >= 500 or problem["status"] in (408, 429) or problem["code"] == "worker_lost"


def run_job(job, run):
    # All that is said about a job carries the token of the attempt: late, another worker may have the job.
    attempt = {"room": job["room"], "job": job["id"], "token": job["token"]}
    running[job["id"]], cancels[job["token"]] = attempt, threading.Event()
    # A line keeps its number within the attempt: said twice, it is kept once.
    numbers = itertools.count()
    report("job:started", **attempt)
    try:
        result = run(
            job["data"],
            lambda part, text="": tell("job:progress", **attempt, fraction=part, message=text),
            lambda line: tell("job:log", **attempt, lines=[line], first=next(numbers)),
            cancels[job["token"]].is_set,
        )
    except Exception as error:
        say(f"job {job['id'][-8:]} failed: {error}")
        report("job:failed", **attempt, error={"message": str(error), "name": type(error).__name__})
    else:
        say(f"job {job['id'][-8:]} completed")
        report("job:completed", **attempt, result=result)
    del running[job["id"]], cancels[job["token"]]


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
