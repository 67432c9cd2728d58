import { paint, type Screen, type Style, shown } from './terminal.ts'

export interface LogEvent {
  time: Date
  level: 'debug' | 'info' | 'warn' | 'error'
  event: string
  fields: Readonly<Record<string, unknown>>
}

const styles: Readonly<Record<LogEvent['level'], Style>> = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' }
/** Characters of a value that stay in the line. */
const longestInLine = 120

/**
 * Returns an event of the log for a person: its fields as `name=value`, and below the line the values that are long, as prompts and
 * stacks are.
 *
 * @example
 * prettyLine({ time: new Date(), level: 'warn', event: 'retry', fields: { status: 503 } }, screen)
 * // 12:00:00.000 WARN  retry status=503
 */
export function prettyLine({ time, level, event, fields }: LogEvent, screen: Screen): string {
  const words: string[] = [
    paint(clock(time), 'dim', screen),
    paint(level.toUpperCase().padEnd(5), styles[level], screen),
    paint(event, 'bold', screen),
  ]
  const below: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const text = written(value)
    if (text.length <= longestInLine && !text.includes('\n')) {
      words.push(`${paint(`${name}=`, 'dim', screen)}${shown(quoted(text, value), screen)}`)
    } else
      below.push(
        `  ${paint(`${name}:`, 'dim', screen)}`,
        ...shown(text, screen)
          .split('\n')
          .map((line) => `    ${line}`),
      )
  }
  return `${[words.join(' '), ...below].join('\n')}\n`
}

/** The local time of day. */
function clock(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two)
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

function written(value: unknown): string {
  if (typeof value === 'string') return value
  if (hasStack(value)) return value.stack
  return JSON.stringify(value) ?? String(value)
}

/** An error as the log has it. */
function hasStack(value: unknown): value is { stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
}

/** Quotes a text that would not be seen to begin or end. */
function quoted(text: string, value: unknown): string {
  return typeof value === 'string' && !/^[^\s"=]+$/.test(text) ? JSON.stringify(text) : text
}
