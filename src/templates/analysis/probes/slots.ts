import { type Capture, type Pattern, type PatternLike, pattern } from '../../../grammar/index.ts'

/**
 * The words that a probe put into a text, as one character each of Unicode's private use, so that literals with places in them are compared and cut
 * like any others.
 */
export const slots = {
  name: '\ue000',
  key: '\ue001',
  id: '\ue002',
  index: '\ue003',
  type: '\ue004',
  value: '\ue005',
} as const

export type Slot = keyof typeof slots

const slotOf = new Map<string, Slot>(
  (['name', 'key', 'id', 'index', 'type', 'value'] as const).map((slot) => [slots[slot], slot]),
)
const anySlot = /[\ue000-\ue005]/

export function holdsSlot(text: string): boolean {
  return anySlot.test(text)
}

/** Characters that neither a tool's name nor an argument's key may have in markup. */
const notInNames = '^\\s<>{}()\\[\\]|,"\''
const notInKeys = '^<>\\n{}'
/** Characters that the name of a type may not have. */
const notInTypes = '^<>"\'\\n'

/** The pattern of a slot: the characters before and after it decide which ones it may not hold. */
function slotPattern(slot: Slot, last: string, next: string): Pattern {
  const bound = next === '' || /[\s\ue000-\ue005]/.test(next) ? '' : next.replace(/[\\\]^-]/g, '\\$&')
  switch (slot) {
    case 'name':
      // A name that is itself a tag is no closing one.
      return pattern.capture('name', last === '<' ? `${notInNames}/` : notInNames, 128)
    case 'key':
      // A key that is itself a tag is no closing one.
      return pattern.capture(
        'key',
        `${last === '<' ? `${notInKeys}\\s/` : notInKeys}${/["'=:]/.test(next) ? bound : ''}`,
      )
    case 'id':
      return pattern.capture('id', notInNames, 128)
    case 'type':
      return pattern.capture('type', notInTypes, 32)
    case 'index':
      return { type: 'capture', as: 'index', of: pattern.chars('0-9', 1, 6, '0') }
    case 'value':
      return pattern.chars('^<>', 0, 256)
  }
}

/** Between two tags, as in `</arg_key><arg_value>`. */
const tagJoint = /(?<=<\/?[A-Za-z][\w.:-]*>)(?=<\/?[A-Za-z])/

/**
 * A literal with slots as a pattern. White space with a line break in it, between two tags, and at either end, may be there or not, as models
 * leave it out and put it in (GLM 4.7 writes `</arg_key>` as GLM 4.6 does, with a line break after it); within a line it is a part of the marker.
 */
export function markerOf(text: string, captured: ReadonlySet<Capture> = new Set()): PatternLike[] {
  const seen = new Set<Capture>(captured)
  const parts: PatternLike[] = []
  const pieces = text.match(/\ue000[\w.:-]*\ue003|[\ue000-\ue005]|[^\S\n]+(?:\n\s*)?|\n\s*|[^\s\ue000-\ue005]+/g) ?? []
  let literal = ''
  const end = () => {
    if (literal !== '') parts.push(...closerMisspelt(literal))
    literal = ''
  }
  for (const [index, piece] of pieces.entries()) {
    const slot = slotOf.get(piece)
    const isEdge = index === 0 || index === pieces.length - 1
    if (slot !== undefined) {
      const last = literal.at(-1) ?? ''
      const next = pieces[index + 1]?.[0] ?? ''
      end()
      // Qwen3-Coder and Qwen3.5 put quotes around names that are bare in the template's tag: `<parameter="path">`.
      const quote = last === '=' && next === '>' ? [pattern.tolerated('"')] : []
      parts.push(...quote, slotOrAgain(slot, last, next, seen), ...quote)
    } else if (piece.endsWith(slots.index) && piece.includes(slots.name)) {
      // A name and a number in one word are the id of the call.
      const word = /(?<![\w.-])[\w.-]*$/.exec(literal)?.[0] ?? ''
      literal = literal.slice(0, literal.length - word.length)
      end()
      parts.push({ type: 'capture', as: 'id', of: pattern.sequence(...idParts(word + piece, seen)) })
    } else if (/^\s/.test(piece) && (isEdge || piece.includes('\n'))) {
      end()
      parts.push(pattern.space(piece))
    } else {
      const [start = '', ...tags] = piece.split(tagJoint)
      literal += start
      for (const tag of tags) {
        end()
        parts.push(pattern.space())
        literal = tag
      }
    }
  }
  end()
  return parts
}

/** A closing tag with a vendor's mark, bars, before its name. */
const markedCloser = /^(<\/[^\w\s<>/]*(?:\w+[^\w\s<>/]+)?(?<=[|｜]))([A-Za-z]{3})(\w+)>$/

/** After such a mark a name is known by how it begins: DeepSeek V4 writes `</｜DSML｜param>` and `</｜DSML｜inv>`. */
function closerMisspelt(literal: string): PatternLike[] {
  const [, mark = '', beginning = '', rest = ''] = markedCloser.exec(literal) ?? []
  if (mark === '') return [literal]
  return [mark, pattern.choice(beginning + rest, pattern.sequence(beginning, pattern.chars('\\w-', 0, 16))), '>']
}

function idParts(piece: string, seen: Set<Capture>): PatternLike[] {
  const [before = '', between = ''] = piece.slice(0, -1).split(slots.name)
  seen.add('name')
  return [before, slotPattern('name', '', between), between, slotPattern('index', '', '')]
}

/** A name that occurs a second time is the same name. */
function slotOrAgain(slot: Slot, last: string, next: string, seen: Set<Capture>): Pattern {
  if (slot === 'value' || slot === 'index') return slotPattern(slot, last, next)
  if (seen.has(slot)) return { type: 'captured', of: slot }
  seen.add(slot)
  return slotPattern(slot, last, next)
}
