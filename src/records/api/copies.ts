import type { ExchangeRecord } from '../record/exchange.ts'
import { piecesOf } from '../record/timed-text.ts'
import { conformanceCase } from './conformance-case.ts'
import type { ExchangeView } from './types.ts'

/** Returns an exchange as a command, as a program and as a test. */
export function copiesOf(record: ExchangeRecord): ExchangeView['copies'] {
  const { client } = record
  const headers = Object.entries(client.headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('anthropic'),
  )
  const flags = headers.map(([name, value]) => ` \\\n  -H ${quoted(`${name}: ${value}`)}`).join('')
  const address = '"$ANYCALL_URL"'
  return {
    curl: `curl -N ${address}${quoted(client.path)}${flags} \\\n  -H "x-api-key: $ANYCALL_KEY" \\\n  --data-binary ${quoted(client.body)}\n`,
    program: programOf(record),
    test: JSON.stringify(conformanceCase(record), undefined, 2),
  }
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A program that reads the model's text again, in the pieces in which it came. */
function programOf({ attempts, conversation }: ExchangeRecord): string {
  const last = attempts.at(-1)
  const pieces = last ? piecesOf(last.text).map(({ text }) => text) : []
  const { dialect, trigger, delivery = 'live' } = last?.reading ?? {}
  const options = {
    tools: conversation?.tools ?? [],
    ...(dialect !== undefined && last?.plan !== 'templated' && { dialect }),
    ...(trigger !== undefined && { trigger }),
    delivery,
  }
  return `import { createReader } from 'anycall'

const reader = createReader(${JSON.stringify(options, undefined, 2)})
const pieces = ${JSON.stringify(pieces, undefined, 2)}
for (const piece of pieces) for (const event of reader.push(piece)) console.log(event)
for (const event of reader.end()) console.log(event)
`
}
