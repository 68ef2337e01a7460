"""A Millrace worker in Python: registers an extension, runs its jobs, reports how far they are, and completes them.

    MILLRACE_URL=http://127.0.0.1:7717 MILLRACE_TOKEN=… MILLRACE_ROOM=lab python worker.py
"""

import os
import platform
import threading
import time

import socketio

url = os.environ.get("MILLRACE_URL", "http://127.0.0.1:7717")
token = os.environ["MILLRACE_TOKEN"]
room = os.environ["MILLRACE_ROOM"]

# The form that people fill in is made from this JSON Schema; the server validates against it and fills in defaults.
up_to = {"type": "integer", "minimum": 2, "maximum": 100_000, "default": 100}
schema = {"type": "object", "properties": {"up_to": up_to}, "additionalProperties": False}
extension = {"room": room, "category": "analysis", "name": "Primes", "schema": schema}

# Coming back is left to `serve`: by itself the client would not after a server that was stopped in order.
sio = socketio.Client(reconnection=False)
running, cancels, problems, said = {}, {}, [], None
registered = threading.Event()


def run(data, progress, cancelled):
    """The work itself. What it returns is the job's result; what it raises fails the job, which is then tried again.

    `cancelled()` is true once somebody has cancelled the job: raise anything, and it ends as cancelled.
    """
    limit, primes = data["up_to"], []
    for n in range(2, limit + 1):
        if cancelled():
            raise InterruptedError("cancelled")
        if all(n % p for p in primes if p * p <= n):
            primes.append(n)
        if n % (limit // 4 + 1) == 0:
            progress(n / limit, f"{len(primes)} primes so far")
    return {"count": len(primes), "largest": primes[-1]}


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
        worker = {"id": f"python-{platform.node()}-{room}", "attempts": list(running.values())}
        answer = sio.call("extension:register", {"worker": worker, "extensions": [extension]}, timeout=20)
        if answer["ok"]:
            registered.set()
            say("registered")
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
