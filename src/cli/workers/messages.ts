import type { GatewayConfig, MeasuredMetrics } from '../../gateway/index.ts'
import type { TemplateNaming } from '../template/rule-templates.ts'
import type { Stop } from './running.ts'

/** The configuration that a worker serves. Upstreams and templates are created from it in the worker, as they cannot be sent. */
export interface WorkerSettings {
  config: GatewayConfig
  /** The origin of template names, for error messages. */
  naming: TemplateNaming
}

/** An order of the primary to a worker; `worker` is its number, from 1, which is in its lines of the log. */
export type Order =
  | { kind: 'serve'; worker: number; version: number; settings: WorkerSettings }
  | { kind: 'stop'; stop: Stop }
  | { kind: 'measure'; id: number }
  | { kind: 'metrics'; ask: number; text?: string; error?: string }

/** A report of a worker to the primary. */
export type Report =
  | { kind: 'started' }
  | { kind: 'serving'; version: number }
  | { kind: 'refused'; version: number; error: string }
  | { kind: 'measured'; id: number; metrics: MeasuredMetrics }
  | { kind: 'metrics'; ask: number }

/** A worker, as the primary sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined
  send(order: Order): void
  onReport(listener: (report: Report) => void): void
  /** Calls `listener` once, after the process ended. */
  onExit(listener: (code: number | null, signal: string | null) => void): void
  /** Ends the process at once. */
  kill(): void
}

/** The primary, as a worker sees it. */
export interface PrimaryChannel {
  report(report: Report): void
  onOrder(listener: (order: Order) => void): void
}

/** Processes that serve one address. `primary` is there in a worker alone. */
export interface WorkerServices {
  fork(): WorkerProcess
  readonly primary?: PrimaryChannel
}

const orders: ReadonlySet<unknown> = new Set<Order['kind']>(['serve', 'stop', 'measure', 'metrics'])
const reports: ReadonlySet<unknown> = new Set<Report['kind']>(['started', 'serving', 'refused', 'measured', 'metrics'])

/** True for an order. Other packages may send messages through the same channel. */
export function isOrder(message: unknown): message is Order {
  return orders.has(kindOf(message))
}

/** True for a report. */
export function isReport(message: unknown): message is Report {
  return reports.has(kindOf(message))
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined
}
