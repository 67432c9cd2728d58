import type { UpstreamFlags } from '../io/flags.ts'
import { type Row, rowsText } from '../io/rows.ts'
import { printable } from '../serve/banner.ts'
import type { Check } from './check.ts'
import { examine, type Patient } from './examine.ts'
import { findPatients, type WaitingOptions } from './patients.ts'

/** The flags of `anycall doctor`, as the shell gave them. */
export interface DoctorFlags extends UpstreamFlags {
  json?: boolean
}

/** What `anycall doctor --json` gives, for each upstream. */
interface Diagnosis {
  name: string
  upstream: string
  checks: Check[]
}

/** A small model on a slow machine takes long to read a prompt. */
const questionMs = 60_000

/**
 * Asks upstreams what they can do, and prints it row by row. Resolves with 1 where one cannot be reached, or none is there. Throws a
 * ConfigError or a FlagError for a configuration or flags that are wrong; whatever an upstream does is a row.
 */
export async function doctor(flags: DoctorFlags, options: WaitingOptions): Promise<number> {
  const { io } = options
  const { patients, missed, passesKeys } = await findPatients(flags, options)
  const show = (rows: readonly Row[]): void => {
    if (!flags.json) io.stdout(rowsText(rows))
  }
  const clientKey = passesKeys ? io.env.ANYCALL_KEY : undefined
  const asking = { signal: io.signal, timeoutMs: questionMs, ...(clientKey !== undefined && { clientKey }) }
  const diagnoses: Diagnosis[] = []
  try {
    for (const [place, patient] of patients.entries()) {
      if (place > 0) show([{ text: '' }])
      diagnoses.push(await diagnose(patient, show, asking))
    }
  } finally {
    await Promise.all(patients.map(({ upstream }) => upstream.close?.()))
  }
  if (patients.length === 0) show(nobodyRows(missed))
  if (flags.json) io.stdout(`${JSON.stringify({ upstreams: diagnoses, missed }, undefined, 2)}\n`)
  const unreachable = diagnoses.some(({ checks }) => checks.some(isUnreachable))
  return patients.length === 0 || unreachable ? 1 : 0
}

async function diagnose(
  patient: Patient,
  show: (rows: readonly Row[]) => void,
  asking: Parameters<typeof examine>[1],
): Promise<Diagnosis> {
  const { name, place } = patient
  show([{ title: 'upstream', name, text: place }])
  const checks: Check[] = []
  for await (const check of examine(patient, asking)) {
    checks.push(check)
    show(checkRows(check))
  }
  return { name, upstream: place, checks }
}

function isUnreachable({ check, outcome }: Check): boolean {
  return check === 'reachable' && outcome === 'no'
}

/** What upstreams say comes from elsewhere: it must not steer the terminal. */
function checkRows({ check, outcome, seen, advice }: Check): Row[] {
  return [
    { title: check, name: outcome, text: printable(seen) },
    ...(advice === undefined ? [] : [{ name: '', text: `-> ${advice}` }]),
  ]
}

function nobodyRows(missed: readonly string[]): Row[] {
  return [
    { title: 'upstream', name: 'no', text: 'no model server was found on this machine' },
    { name: '', lines: missed },
    { name: '', text: '-> Start one of them, or give the address of another with --upstream URL.' },
  ]
}
