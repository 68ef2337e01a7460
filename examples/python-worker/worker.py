"""A Millrace worker in Python: registers an extension, runs its jobs, reports how far they are, and completes them.

    MILLRACE_URL=http://127.0.0.1:7717 MILLRACE_TOKEN=… MILLRACE_ROOM=lab python worker.py
"""

import os
import platform
import time

import requests
import socketio

url = os.environ.get("MILLRACE_URL", "http://127.0.0.1:7717")
token = os.environ["MILLRACE_TOKEN"]
room = os.environ["MILLRACE_ROOM"]

# The form that people fill in is made from this JSON Schema; the server validates against it and fills in defaults.
up_to = {"type": "integer", "minimum": 2, "maximum": 100_000, "default": 100}
schema = {"type": "object", "properties": {"up_to": up_to}, "additionalProperties": False}
extension = {"room": room, "category": "analysis", "name": "Primes", "schema": schema}

sio = socketio.Client()  # Comes back by itself after a broken connection, and `connect` then registers again.
running = {}


def run(data, progress):
    """The work itself. What it returns is the job's result; what it raises fails the job, which is then tried again."""
    limit, primes = data["up_to"], []
    for n in range(2, limit + 1):
        if all(n % p for p in primes if p * p <= n):
            primes.append(n)
        if n % (limit // 4 + 1) == 0:
            progress(n / limit, f"{len(primes)} primes so far")
    return {"count": len(primes), "largest": primes[-1]}


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
    worker = {"id": f"python-{platform.node()}-{room}", "attempts": list(running.values())}
    answer = sio.call("extension:register", {"worker": worker, "extensions": [extension]})
    print("registered" if answer["ok"] else answer["problem"]["detail"], flush=True)


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
            tell = lambda part, text: sio.emit("job:progress", [{**attempt, "fraction": part, "message": text}])
            result = run(job["data"], tell)
        except Exception as error:
            report("job:failed", **attempt, error={"message": str(error), "name": type(error).__name__})
        else:
            report("job:completed", **attempt, result=result)
        del running[job["id"]]


if __name__ == "__main__":
    me = requests.get(f"{url}/api/auth/me", headers={"authorization": f"Bearer {token}"}, timeout=10)
    me.raise_for_status()
    print(f"{me.json()['user']} serves {extension['name']} in {room}", flush=True)
    sio.connect(url, auth={"token": token}, transports=["websocket"])
    sio.wait()
