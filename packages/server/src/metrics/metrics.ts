// Figures for Prometheus. Counted where things happen, read when somebody asks.

import type { BreakerView, Job, TerminalStatus } from '@millrace/domain'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Gauges {
  readonly pending: () => number
  /** Seconds since the oldest job that is believed to wait was submitted, 0 when none waits. */
  readonly oldestSeconds: () => number
  readonly workers: () => number
  readonly running: () => number
  readonly connections: () => number
  readonly connectionsMax: () => number
}

const endings: readonly TerminalStatus[] = ['completed', 'failed', 'cancelled']

const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600]

export class Metrics {
  readonly #register = new Registry()
  readonly #submitted = this.#counter('millrace_jobs_submitted_total', 'Jobs submitted by this server')
  readonly #ended = new Counter({
    name: 'millrace_jobs_ended_total',
    help: 'Jobs whose end this server wrote, by status',
    labelNames: ['status'],
    registers: [this.#register],
  })
  readonly #breakers = new Counter({
    name: 'millrace_breaker_changes_total',
    help: 'Breakers of extensions that this server changed, by what they became',
    labelNames: ['to'],
    registers: [this.#register],
  })
  readonly #waits = this.#histogram(
    'millrace_job_wait_seconds',
    'From submit to the start of the run that ended the job',
  )
  readonly #runs = this.#histogram('millrace_job_run_seconds', 'The run that ended the job')
  readonly #passes = this.#histogram(
    'millrace_placement_pass_seconds',
    'One placement pass: snapshot, plan, claims',
  )
  readonly #commits = this.#histogram(
    'millrace_commit_seconds',
    'One commit of the store, group commit included',
  )
  readonly #lag = this.#histogram('millrace_event_lag_seconds', 'From a commit to its event being relayed')

  constructor(gauges: Gauges) {
    collectDefaultMetrics({ register: this.#register })
    this.#gauge('millrace_jobs_pending', 'Jobs this server believes to wait', gauges.pending)
    this.#gauge(
      'millrace_oldest_pending_seconds',
      'How long the job at the head of the oldest queue waits',
      gauges.oldestSeconds,
    )
    this.#gauge('millrace_workers', 'Workers stationed at this server', gauges.workers)
    this.#gauge('millrace_jobs_running', 'Attempts on workers of this server', gauges.running)
    this.#gauge('millrace_connections', 'Open sockets', gauges.connections)
    this.#gauge('millrace_connections_max', 'How many there may be', gauges.connectionsMax)
  }

  submitted(count: number): void {
    this.#submitted.inc(count)
  }

  ended(jobs: readonly Job[]): void {
    for (const status of endings) {
      const count = jobs.reduce((sum, job) => (job.status === status ? sum + 1 : sum), 0)
      if (count > 0) this.#ended.inc({ status }, count)
    }
    for (const { waitMs, runMs } of jobs) {
      if (waitMs !== undefined) this.#waits.observe(waitMs / 1_000)
      if (runMs !== undefined) this.#runs.observe(runMs / 1_000)
    }
  }

  breakerChanged(to: BreakerView): void {
    this.#breakers.inc({ to })
  }

  placed(durationMs: number): void {
    this.#passes.observe(durationMs / 1_000)
  }

  committed(durationMs: number): void {
    this.#commits.observe(durationMs / 1_000)
  }

  relayed(lagMs: number): void {
    this.#lag.observe(Math.max(0, lagMs) / 1_000)
  }

  text(): Promise<string> {
    return this.#register.metrics()
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.#register] })
  }

  #histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: seconds, registers: [this.#register] })
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#register],
      collect() {
        this.set(read())
      },
    })
  }
}
