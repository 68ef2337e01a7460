"""A Millrace worker with nothing but python-socketio and requests.

MILLRACE_URL and MILLRACE_TOKEN say where and as whom; the room is that of the token, or MILLRACE_ROOM.
"""

import os
import time

import requests
import socketio

url, token = os.environ["MILLRACE_URL"], os.environ["MILLRACE_TOKEN"]
http = requests.Session()
http.headers["authorization"] = f"Bearer {token}"
me = http.get(f"{url}/api/auth/me", timeout=10)
me.raise_for_status()  # A wrong credential ends it here.
room = os.environ.get("MILLRACE_ROOM") or me.json()["room"]
sio = socketio.Client(reconnection_delay=1, reconnection_delay_max=5)
running = {}  # What it has, by job. Every beat and every registration names it, or it goes to another worker.

schema = {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "number"}, "default": [1, 2, 3]}},
}


def run(data):
    """The work itself: what it returns is the result, what it raises fails the job, which is then tried again."""
    return {"mean": sum(data["numbers"]) / len(data["numbers"])}


@sio.event
def connect():
    extension = {"room": room, "category": "analysis", "name": "Mean", "schema": schema}
    worker = {"id": f"python-mean-{room}", "attempts": list(running.values())}
    answer = sio.call("extension:register", {"worker": worker, "extensions": [extension]})
    print(f"serves analysis/Mean in {room}" if answer["ok"] else answer["problem"]["detail"], flush=True)
    if not answer["ok"]:
        sio.disconnect()


@sio.on("worker:beat")
def beat(_question):
    return {"running": list(running.values()), "free": 1 - len(running)}


@sio.on("job:assigned")
def assigned(jobs):  # In a thread of its own, so that beats are answered meanwhile.
    for job in jobs:
        running[job["id"]] = {"room": job["room"], "job": job["id"], "token": job["token"]}
        report(job, status="running")
        try:
            outcome = {"status": "completed", "result": run(job["data"])}
        except Exception as error:
            outcome = {"status": "failed", "error": {"name": type(error).__name__, "message": str(error)}}
        report(job, **outcome)
        del running[job["id"]]


def report(job, **status):
    """Until the server says yes or no. The token is that of the attempt: late, the job may be another worker's."""
    path, body = f"/api/rooms/{job['room']}/jobs/{job['id']}/status", {"token": job["token"], **status}
    while True:
        try:
            answer = http.put(url + path, json=body, timeout=10)
            if answer.status_code < 500 and answer.status_code != 429:
                return
        except requests.RequestException:
            pass
        time.sleep(1)


while True:  # A connection that was lost comes back by itself; one that the server ended in order is opened anew.
    try:
        sio.connect(url, auth={"token": token}, transports=["websocket"], wait_timeout=10)
        sio.wait()
    except (socketio.exceptions.ConnectionError, ValueError) as error:  # ValueError: the last one still closes.
        print(error, flush=True)
    time.sleep(1)
