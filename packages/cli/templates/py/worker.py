"""A Millrace worker in Python: one extension, which everybody in the room can run. It is yours to change.

    python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
    .venv/bin/python worker.py
    npx millrace submit Primes --set up_to=1000 --follow

It serves the server you are signed in to (`millrace dev` signs you in by itself), or the one that MILLRACE_URL,
MILLRACE_TOKEN and MILLRACE_ROOM name. How it speaks with the server stands in millrace_link.py.
"""

from millrace_link import serve

category, name = "analysis", "Primes"

# The form that people fill in is made from this JSON Schema; the server checks jobs against it and fills in defaults.
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


if __name__ == "__main__":
    serve(category, name, schema, run)
