import { type ExchangeRecord, missedCalls, viewOf } from '../../records/index.ts'
import type { Io } from '../io/io.ts'
import { paint, type Screen, type Style, shown } from '../io/terminal.ts'
import { TextPlaces } from '../io/text.ts'
import { ExplainView } from '../read/explain.ts'

/** Characters that are printed of a body. */
const shownLength = 4000
const levels: Readonly<Record<string, Style>> = { error: 'red', warning: 'yellow', info: 'dim' }

/** Prints an exchange: the reasons of a failure first, then all from the client's request to the bytes that it got. */
export function explainRecord(record: ExchangeRecord, io: Pick<Io, 'stdout'>, own: Screen): void {
  // Guarded in a file too: it is for people, who print it on a terminal later.
  const screen = { ...own, guarded: true }
  const title = (text: string): void => io.stdout(`\n${paint(shown(text, screen), 'bold', screen)}\n`)
  const { client, plan, attempts, answer, timings, session } = record
  io.stdout(
    `${record.id}  ${record.at}  ${answer.status}  ${timings.end ?? '?'} ms  session ${session.id}, step ${session.step}\n`,
  )
  const { reasons, prompts } = viewOf(record, { missed: missedCalls(record) })
  for (const { level, code, message } of reasons) {
    io.stdout(`${paint(level, levels[level] ?? 'plain', screen)} ${code}: ${shown(message, screen)}\n`)
  }
  title('Client request')
  io.stdout(`${client.method} ${shown(client.path, screen)}  ${client.protocol ?? ''}\n${cut(client.body, screen)}\n`)
  if (plan) {
    title('Plan')
    io.stdout(
      `${shown(`${plan.plan} at ${plan.upstream}, model ${plan.model}${plan.dialect ? `, dialect ${plan.dialect}` : ''}: ${plan.why}`, screen)}\n`,
    )
  }
  for (const [index, attempt] of attempts.entries()) {
    title(
      `Attempt ${index + 1} of ${attempts.length}${attempt.cause ? ` after ${attempt.cause.event}: ${attempt.cause.why}` : ''}`,
    )
    for (const prompt of prompts.filter((one) => one.attempt === index)) {
      for (const part of prompt.parts) {
        const name = part.label === '' ? part.kind : `${part.kind} ${part.label}`
        io.stdout(
          `${paint(shown(name, screen), 'bold cyan', screen)} about ${part.tokens} tokens\n${cut(part.text, screen)}\n`,
        )
      }
      if (prompt.constraint)
        io.stdout(`constrained by ${prompt.constraint.type}, ${prompt.constraint.text.length} characters\n`)
    }
    if (attempt.reasoning.text !== '') io.stdout(`${paint(cut(attempt.reasoning.text, screen), 'dim', screen)}\n`)
    const places = new TextPlaces()
    places.add(attempt.text.text)
    const view = new ExplainView(io, screen)
    view.show({ piece: attempt.text.text, spans: attempt.spans, events: [] })
    const notices = record.notices.filter((notice) => notice.attempt === index)
    const calls = record.reply.filter(({ event }) => event.type === 'call-end')
    view.end({
      report: { sawToolCallSyntax: calls.length > 0, rejectedByPolicy: false, rejectedToolNames: [] },
      tally: {
        calls: calls.filter(({ event }) => event.type === 'call-end' && event.complete).length,
        incomplete: calls.filter(({ event }) => event.type === 'call-end' && !event.complete).length,
        finish: attempt.finish ?? 'stop',
      },
      notices,
      places,
      interrupted: false,
    })
    for (const call of attempt.calls)
      io.stdout(`call ${shown(call.name ?? '', screen)} ${cut(call.arguments.text, screen)}\n`)
  }
  title('Client response')
  io.stdout(`${cut(answer.body.text, screen)}\n`)
}

function cut(text: string, screen: Screen): string {
  const more = text.length > shownLength ? `… (${text.length} characters)` : ''
  return `${shown(text.slice(0, shownLength), screen)}${more}`
}
