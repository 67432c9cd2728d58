import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Dialect } from '../../../src/dialects/index.ts'
import { callsOf, cut, readPieces, textOf, tools } from './replies.ts'

/** The tool of the example calls, and a name of the same length that no tool has. */
export const weatherCall = { id: 'x', name: 'get_weather', arguments: '{"city":"Paris","days":3}' } as const
const notOffered = 'got_weather'

/** A line break before it, because a tool's name may continue the marker that closes the reasoning: `>>>all` and `>>>allocate`. */
const answer = '\nIt is so.'

/** Words that a reader may take for parts of a call, and their lines for its lines. */
const words = fc.oneof(
  fc.constantFrom('', ' I see.', '\nSo "it\nis', '": 1, x', '{"a": {', "'([", '>', ' = ', '\n\n'),
  fc.stringMatching(/^[ \n"'{}[\]()a-c:,=]{0,12}$/),
)

/**
 * Reasoning that begins like a call without being one that counts: a beginning of the call that lacks at least the end of its
 * name, or a whole call of a tool that is not offered.
 */
function thoughts(call: string): fc.Arbitrary<string> {
  const longest = call.indexOf(weatherCall.name) + weatherCall.name.length - 1
  const begun = fc.integer({ min: 1, max: longest }).map((length) => call.slice(0, length))
  const refused = fc.constant(call.replaceAll(weatherCall.name, notOffered))
  return fc.tuple(fc.oneof({ weight: 4, arbitrary: begun }, refused), words).map((parts) => parts.join(''))
}

/** An empty list after the marker that opens calls says that there are none: a marker, which no text shows (Granite). */
const emptyList = /\[\s*\]/

/**
 * The law of reasoning that the prompt has opened: it goes up to its closing marker even if it begins like a call, and the
 * answer is text. It does not hold after the whole name of an offered tool: live delivery emits such a call at once, so that it
 * is an incomplete call even if the marker that closes the reasoning comes within one of its strings.
 */
export function openedReasoningLaw(
  dialect: Dialect,
  call: string,
  close: string,
): fc.IPropertyWithHooks<[string, number[], 'live' | 'whole']> {
  const places = fc.array(fc.nat(), { maxLength: 8 })
  return fc.property(thoughts(call), places, fc.constantFrom('live', 'whole'), (thought, at, delivery) => {
    // Inkling ends reasoning and calls with the same marker: reasoning that contains it ends there.
    fc.pre(!emptyList.test(thought) && !thought.includes(close))
    const text = thought + close + answer
    for (const pieces of [[text], cut(text, at)]) {
      const { events } = readPieces(dialect, pieces, { tools, delivery, reasoning: 'open' })
      const read = {
        reasoning: textOf(events, 'reasoning').trim(),
        text: textOf(events).trim(),
        calls: callsOf(events),
      }
      expect({ pieces, ...read }).toEqual({ pieces, reasoning: thought.trim(), text: answer.trim(), calls: [] })
    }
  })
}
