import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { coveringTests } from '../../test/support/covering-tests.ts'
import { openedReasoningLaw, weatherCall } from '../../test/support/dialects/opened-reasoning.ts'
import {
  callsOf,
  canonical,
  cut,
  message,
  nastyString,
  promptContext,
  readPieces,
  replyText,
  textOf,
  tools,
  wrongTrigger,
} from '../../test/support/dialects/replies.ts'
import { lawRuns } from '../../test/support/draws.ts'
import { type AssistantPart, ReplyCollector, type ReplyEvent } from '../conversation/index.ts'
import { chunkFault, endFault, lossFault, retractionFault } from './check/laws.ts'
import { isOfWords } from './format/reasoning-forms.ts'
import { type Dialect, dialects } from './index.ts'
import { ExampleGuard } from './read/examples/example-guard.ts'

const reasons = fc.constantFrom('stop' as const, 'length' as const)
/** Options of a reader: calls live or whole, within reasoning too or not. */
const ways = fc.record({
  delivery: fc.constantFrom('live' as const, 'whole' as const),
  reasoning: fc.constantFrom('detect' as const, 'open' as const),
  accept: fc.record({ callsInReasoning: fc.boolean() }),
})

function check<Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>): void {
  fc.assert(property, { numRuns: lawRuns })
}

const testsOf = coveringTests(dialects)

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_, dialect) => {
  const it = testsOf(dialect)
  const texts = replyText(dialect)
  const armed = dialect.usesTrigger ? promptContext : {}

  it('reads a text alike however it is cut', () => {
    check(
      fc.property(texts, reasons, ways, fc.array(fc.nat(), { maxLength: 8 }), (text, reason, way, places) => {
        const options = { tools, reason, ...way, ...armed }
        for (const pieces of [cut(text, places), text.split('')]) {
          expect(chunkFault(dialect, text, pieces, options)).toBeUndefined()
        }
      }),
    )
  })

  it('takes nothing back', () => {
    check(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 30 }), (text, places) => {
        expect(retractionFault(dialect, cut(text, places), { tools, ...armed })).toBeUndefined()
      }),
    )
  })

  it('loses and doubles nothing', () => {
    check(
      fc.property(texts, reasons, ways, (text, reason, way) => {
        expect(lossFault(readPieces(dialect, [text], { tools, reason, ...way }), text)).toBeUndefined()
      }),
    )
  })

  it('ends with one finish event, and tells the truth about the end, whatever it is given', () => {
    const garbage = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), nastyString(dialect), texts)
    check(
      fc.property(garbage, reasons, fc.constantFrom('detect' as const, 'open' as const), (text, reason, reasoning) => {
        const reading = readPieces(dialect, [text], { tools, reason, reasoning })
        expect(endFault(reading, reason)).toBeUndefined()
      }),
    )
  })

  it('tells the truth about the end', () => {
    check(
      fc.property(texts, reasons, (text, reason) => {
        expect(endFault(readPieces(dialect, [text], { tools, reason }), reason)).toBeUndefined()
      }),
    )
  })

  it('reads the same whole calls live and whole, and nothing else whole', () => {
    check(
      fc.property(texts, reasons, ways, (text, reason, way) => {
        const read = (delivery: 'live' | 'whole') =>
          callsOf(readPieces(dialect, [text], { tools, reason, ...way, delivery }).events)
        expect(read('whole')).toEqual(read('live').filter(({ complete }) => complete))
      }),
    )
  })

  it('gives no more than what was said when a message is cut by the token limit', () => {
    check(
      fc.property(message(dialect), fc.nat(), ({ parts, tools }, at) => {
        const text = dialect.renderAssistant(parts, promptContext, tools)
        const whole = callsOf(readPieces(dialect, [text], { tools }).events)
        const begun = callsOf(
          readPieces(dialect, [text.slice(0, at % (text.length + 1))], { tools, reason: 'length' }).events,
        )
        expect(begun.length).toBeLessThanOrEqual(whole.length)
        for (const [index, call] of begun.entries()) {
          if (call.complete) expect(call).toEqual(whole[index])
          else expect(() => JSON.parse(call.json)).toThrow()
        }
      }),
    )
  })

  it('reads reasoning that begins like a call up to its closing marker', () => {
    const call = dialect.renderAssistant([{ type: 'call', ...weatherCall }], promptContext, tools)
    const form = dialect.format?.reasoning?.find((one) => !isOfWords(one))
    check(openedReasoningLaw(dialect, call, form?.close[0] ?? '</think>'))
  })

  it('calls offered tools only, and only as the request allows', () => {
    const choices = fc.constantFrom(
      { type: 'auto' as const },
      { type: 'none' as const },
      { type: 'named' as const, name: 'run' },
    )
    check(
      fc.property(texts, fc.subarray([...tools]), choices, fc.boolean(), (text, offered, toolChoice, parallelCalls) => {
        const calls = callsOf(readPieces(dialect, [text], { tools: offered, toolChoice, parallelCalls }).events)
        const allowed = offered.filter(
          ({ name }) => toolChoice.type === 'auto' || (toolChoice.type === 'named' && toolChoice.name === name),
        )
        for (const call of calls) expect(allowed.map(({ name }) => name)).toContain(call.name)
        if (!parallelCalls) expect(calls.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('reads what it writes', () => {
    check(
      fc.property(message(dialect), ({ parts, tools }) => {
        fc.pre(canWrite(dialect, parts))
        const text = dialect.renderAssistant(parts, promptContext, tools)
        const { events, spans } = readPieces(dialect, [text], { tools })
        expect(partsRead(events)).toEqual(normalise(parts))
        expect(events.filter((event) => event.type === 'notice' && event.notice.code !== 'retyped')).toEqual([])
        expect(spans.some(({ role }) => role === 'rejected')).toBe(false)
      }),
    )
  })

  it('calls again when what it read is written and read', () => {
    check(
      fc.property(texts, (text) => {
        const read = (written: string) => readPieces(dialect, [written], { tools }).events
        const collector = new ReplyCollector()
        collector.push(read(text))
        const parts = collector.parts.flatMap((part): AssistantPart[] => {
          if (part.type !== 'call') return [part]
          return part.complete ? [{ type: 'call', id: part.id, name: part.name, arguments: part.arguments }] : []
        })
        fc.pre(canWrite(dialect, parts))
        expect(partsRead(read(dialect.renderAssistant(parts, promptContext, tools)))).toEqual(normalise(parts))
      }),
    )
  })

  it('puts neutralised text back, and no part of it is a call', () => {
    check(
      fc.property(fc.array(nastyString(dialect)), (pieces) => {
        const text = pieces.join('')
        // White space alone is a format's own.
        fc.pre(text.trim() !== '')
        const { events } = readPieces(dialect, dialect.neutralise(text, { ...promptContext, tools }).split(''), {
          tools,
        })
        expect(textOf(events)).toBe(text)
        expect(callsOf(events)).toEqual([])
      }),
    )
  })

  const exampleCall = dialect.renderAssistant(
    [{ type: 'call', id: '', name: 'run', arguments: '{"command":"rm -rf /","n":[1,2]}' }],
    promptContext,
    tools,
  )
  /** The call with the line before it that arms the reader taken away, or another's in its place. */
  const unarmed = [
    exampleCall.replace(`${promptContext.trigger}\n`, ''),
    exampleCall.replace(promptContext.trigger, wrongTrigger),
  ]

  it.each([
    ['a fence of backticks', (call: string) => `See:\n\n\`\`\`xml\n${call}\n\`\`\`\nDone.`],
    ['a fence of tildes', (call: string) => `~~~\n${call}\n~~~`],
    ['a fence in a list', (call: string) => `1. Write\n   \`\`\`\n   ${call}\n   \`\`\``],
    ['a longer fence around a shorter', (call: string) => `\`\`\`\`md\n\`\`\`\n${call}\n\`\`\`\n${call}\n\`\`\`\``],
    ['inline code', (call: string) => `Write \`${call.replaceAll('\n', '')}\` to call.`],
    ['double inline code', (call: string) => `Write \`\` \`${call.replaceAll('\n', ' ')}\` \`\` to call.`],
    ['a quotation', (call: string) => `> ${call.replaceAll('\n', '\n> ')}\nThat was it.`],
    ['quotation marks', (call: string) => `It said "${call.replaceAll('\n', '')}" and stopped.`],
  ])('calls nothing in %s', (_name, wrap) => {
    for (const call of dialect.usesTrigger ? unarmed : [exampleCall]) {
      const text = wrap(call)
      const { events } = readPieces(dialect, [text], { tools })
      expect(callsOf(events)).toEqual([])
      expect(textOf(events)).toBe(text)
    }
  })

  if (dialect.usesTrigger) {
    it('calls nothing without its own trigger', () => {
      check(
        fc.property(texts, (text) => {
          const others = text.replaceAll(new RegExp(promptContext.trigger, 'gi'), wrongTrigger)
          expect(callsOf(readPieces(dialect, [others], { tools }).events)).toEqual([])
        }),
      )
    })
  }

  it.each(['run', 'no_such_tool'])('does not call what stands in the arguments of %s', (name) => {
    const outer = dialect.renderAssistant(
      [{ type: 'call', id: '', name, arguments: JSON.stringify({ text: `${exampleCall}\n`, list: [exampleCall] }) }],
      promptContext,
      tools,
    )
    for (const text of [outer, outer.replaceAll('\u2060', '')]) {
      const { events } = readPieces(dialect, [text], { tools })
      expect(callsOf(events).map((call) => call.json.includes('rm -rf'))).toEqual(name === 'run' ? [true] : [])
    }
  })

  it('shows the whole of every schema', () => {
    const schema = fc.jsonValue({ maxDepth: 3 })
    check(
      fc.property(
        fc.dictionary(nastyString(dialect), schema),
        nastyString(dialect),
        schema,
        (properties, text, more) => {
          const tool = {
            name: 'f',
            description: text,
            schema: JSON.parse(JSON.stringify({ type: 'object', properties, required: Object.keys(properties), more })),
          }
          const policy = { tools: [tool], toolChoice: { type: 'auto' as const }, parallelCalls: true }
          const prompt = dialect.describe(policy, promptContext).replaceAll('\u2060', '')
          for (const leaf of leavesOf([text, properties, more])) {
            const bare = leaf.replaceAll('\u2060', '')
            expect([bare, JSON.stringify(bare).slice(1, -1)].some((form) => prompt.includes(form))).toBe(true)
          }
        },
      ),
    )
  })
})

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => [key, ...leavesOf(member)])
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}

/**
 * True if a message can be written such that it is read back unchanged: an open fence before a call is closed, a
 * bracket next to a call may be one of its own, a parenthesis directly after it makes a link of it (`[f()](x)`), a
 * comma after it separates it from another call, and some formats have a place for plain keys only.
 */
function canWrite(dialect: Dialect, parts: readonly AssistantPart[]): boolean {
  const fits = (key: string) => dialect.keys?.test(key) ?? true
  const written = parts.map((part) => (part.type === 'text' ? part.text : '\u0000')).join('')
  const touches = /\u0000(?:\(|\s*[\]},;])|[[{]\s*\u0000/.test(written)
  const keys = parts.flatMap((part) => (part.type === 'call' ? Object.keys(JSON.parse(part.arguments)) : []))
  return !hasFenceBeforeCall(parts) && !touches && keys.every(fits)
}

function hasFenceBeforeCall(parts: readonly AssistantPart[]): boolean {
  const guard = new ExampleGuard()
  return parts.some((part) => {
    if (part.type === 'text') guard.feed(part.text)
    if (part.type !== 'call') return false
    const isOpen = guard.openFence !== ''
    guard.feed('\n')
    return isOpen
  })
}

type NormalPart = { type: 'text'; text: string } | { type: 'call'; name: string; arguments: unknown; complete: boolean }

/**
 * The content of a message, without what no text can express: the border between two text parts, and the white space
 * between text and calls, of which one side is read (see seams.test.ts). Arguments are compared as values, with numbers
 * by their digits.
 */
function normalise(parts: readonly AssistantPart[]): unknown[] {
  return bare(
    parts.flatMap((part): NormalPart[] => {
      if (part.type === 'text') return [part]
      if (part.type === 'reasoning') return []
      return [{ type: 'call', name: part.name, arguments: canonical(part.arguments), complete: true }]
    }),
  )
}

function partsRead(events: readonly ReplyEvent[]): NormalPart[] {
  const calls = callsOf(events)
  return bare(
    events.flatMap((event): NormalPart[] => {
      if (event.type === 'text') return [{ type: 'text', text: event.text }]
      if (event.type !== 'call-start') return []
      const { name = '', json = '', complete = false } = calls[event.index] ?? {}
      return [{ type: 'call', name, arguments: complete ? canonical(json) : undefined, complete }]
    }),
  )
}

function bare(parts: readonly NormalPart[]): NormalPart[] {
  const merged: NormalPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.type === 'text' && last?.type === 'text') last.text += part.text
    else merged.push({ ...part })
  }
  const trimmed = merged.map((part, at): NormalPart => {
    if (part.type === 'call') return part
    const text = at > 0 ? part.text.trimStart() : part.text
    return { type: 'text', text: merged[at + 1] ? text.trimEnd() : text }
  })
  return trimmed.filter((part) => part.type === 'call' || part.text.trim() !== '')
}
