"""The Celery side of the throughput bench: as a module the worker's application, as a script the publisher."""

import os
import sys
import time
from multiprocessing import Value

from celery import Celery
from celery.signals import worker_ready

app = Celery("bench", broker=os.environ["BENCH_BROKER"])
app.conf.update(
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_acks_late=False,
    worker_prefetch_multiplier=int(os.environ.get("BENCH_PREFETCH", "1000")),
    worker_send_task_events=False,
    task_send_sent_event=False,
    worker_redirect_stdouts=False,
    broker_connection_retry_on_startup=True,
    task_create_missing_queues=True,
    task_compression=None,
)

# Shared, because with the prefork pool tasks run in several processes.
done = Value("Q", 0)


@app.task(name="noop")
def noop(last, run):
    with done.get_lock():
        done.value += 1
        finished = done.value == last
        if finished:
            done.value = 0
    if finished:
        print(f"run {run} finished at {time.time()}", flush=True)


@worker_ready.connect
def say_ready(**_):
    print("celery bench worker is ready", flush=True)


def publish(count, run):
    began = time.time()
    with app.producer_pool.acquire(block=True) as producer:
        for _ in range(count):
            noop.apply_async((count, run), producer=producer)
    print(began)


if __name__ == "__main__":
    publish(int(sys.argv[1]), sys.argv[2])
