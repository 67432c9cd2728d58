import type { UpstreamFlags } from '../io/flags.ts'
import { type Row, rowsText } from '../io/rows.ts'
import { type Style, screenOf } from '../io/terminal.ts'
import { printable } from '../serve/banner.ts'
import type { Check } from './check.ts'
import { examine, type Target } from './examine.ts'
import { findTargets, type TargetOptions } from './targets.ts'

/** The flags of `anycall doctor`, as the shell passed them. */
export interface DoctorFlags extends UpstreamFlags {
  json?: boolean
}

/** The output of `anycall doctor --json` for one upstream. */
interface Diagnosis {
  name: string
  upstream: string
  checks: Check[]
}

/** The limit for one question: a small model on a slow machine needs long to read a prompt. */
const questionMs = 60_000

/**
 * Tests the abilities of upstreams, and prints one row per check. Resolves with 1 if an upstream cannot be reached, or
 * if there is none. Throws a ConfigError for an invalid configuration and a FlagError for invalid flags; failures of an
 * upstream are rows.
 */
export async function doctor(flags: DoctorFlags, options: TargetOptions): Promise<number> {
  const { io } = options
  const { targets, missed, passesKeys } = await findTargets(flags, options)
  const screen = screenOf(io)
  const show = (rows: readonly Row[]): void => {
    if (!flags.json) io.stdout(rowsText(rows, screen))
  }
  const clientKey = passesKeys ? io.env.ANYCALL_KEY : undefined
  const askOptions = { signal: io.signal, timeoutMs: questionMs, ...(clientKey !== undefined && { clientKey }) }
  const diagnoses: Diagnosis[] = []
  try {
    for (const [place, target] of targets.entries()) {
      if (place > 0) show([{ text: '' }])
      diagnoses.push(await diagnose(target, show, askOptions))
    }
  } finally {
    await Promise.all(targets.map(({ upstream }) => upstream.close?.()))
  }
  if (targets.length === 0) show(noTargetRows(missed))
  if (flags.json) io.stdout(`${JSON.stringify({ upstreams: diagnoses, missed }, undefined, 2)}\n`)
  const unreachable = diagnoses.some(({ checks }) => checks.some(isUnreachable))
  return targets.length === 0 || unreachable ? 1 : 0
}

async function diagnose(
  target: Target,
  show: (rows: readonly Row[]) => void,
  askOptions: Parameters<typeof examine>[1],
): Promise<Diagnosis> {
  const { name, place } = target
  show([{ title: 'upstream', name, text: place }])
  const checks: Check[] = []
  for await (const check of examine(target, askOptions)) {
    checks.push(check)
    show(checkRows(check))
  }
  return { name, upstream: place, checks }
}

function isUnreachable({ check, outcome }: Check): boolean {
  return check === 'reachable' && outcome === 'no'
}

const outcomeStyles: Readonly<Record<Check['outcome'], Style>> = { ok: 'green', no: 'red', 'not known': 'dim' }

/** Messages of upstreams come from outside: `printable` keeps them from controlling the terminal. */
function checkRows({ check, outcome, seen, advice }: Check): Row[] {
  return [
    { title: check, name: outcome, style: outcomeStyles[outcome], text: printable(seen) },
    ...(advice === undefined ? [] : [{ name: '', text: `-> ${advice}` }]),
  ]
}

function noTargetRows(missed: readonly string[]): Row[] {
  return [
    { title: 'upstream', name: 'no', style: 'red', text: 'no model server was found on this machine' },
    { name: '', lines: missed },
    { name: '', text: '-> Start one of them, or give the address of another server with --upstream URL.' },
  ]
}
