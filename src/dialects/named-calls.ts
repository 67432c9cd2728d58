import type { Tool } from '../conversation/index.ts'
import {
  ahead,
  call,
  chars,
  close,
  jsonArguments,
  maybe,
  oneOf,
  type Pattern,
  sequence,
  space,
  token,
} from '../grammar/index.ts'
import type { Block } from './format.ts'

/** Which calls that begin with nothing but a tool's name are read. */
export interface NamedCalls {
  /** `f[ARGS]{…}`: Mistral's format, of which a server dropped the first marker as a special token. */
  unmarked?: boolean
  /** `f({…})` and `f{…}` at the beginning of a line. Code looks the same. */
  loose?: boolean
  /** `I'll use the f tool with {…}`. */
  naturalLanguage?: boolean
}

const blanks: Pattern = chars(' \\t', 0, 16, ' ')
const someBlanks: Pattern = chars(' \\t', 1, 16, ' ')
const openBrace: Pattern = sequence(space(), ahead('{'))
/** What may stand between a phrase and the object, which begins on the same line or the next. */
const between: Pattern = sequence(chars('^{}\\n.!?', 0, 60), maybe('\n'), blanks, ahead('{'))

/** The blocks that were made last: the requests of a conversation, and of a client, offer the same tools. */
const remembered = new Map<string, readonly Block[]>()
const mostRemembered = 32
const none: readonly Block[] = []

/** Blocks that begin with a tool's name: they are made for the tools, because only their names say where to look. */
export function namedCalls(tools: readonly Tool[], wanted: NamedCalls): readonly Block[] {
  const { unmarked = false, loose = false, naturalLanguage = false } = wanted
  if (tools.length === 0 || !(unmarked || loose || naturalLanguage)) return none
  const key = `${unmarked} ${loose} ${naturalLanguage} ${JSON.stringify(tools.map(({ name }) => name))}`
  let blocks = remembered.get(key)
  if (!blocks) {
    blocks = createBlocks(tools, wanted)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, blocks)
  }
  return blocks
}

function createBlocks(tools: readonly Tool[], wanted: NamedCalls): readonly Block[] {
  const names = [...new Set(tools.map((tool) => tool.name))].filter((name) => name !== '')
  if (names.length === 0) return none
  const name: Pattern = { type: 'capture', as: 'name', of: oneOf(...names.sort((a, b) => b.length - a.length)) }
  return [
    ...(wanted.unmarked ? unmarkedBlocks(name) : []),
    ...(wanted.loose ? looseBlocks(name) : []),
    ...(wanted.naturalLanguage ? phrases(name) : []),
  ]
}

function unmarkedBlocks(name: Pattern): Block[] {
  return [{ tree: call(token(name, blanks, '[ARGS]', openBrace), jsonArguments()), place: 'line' }]
}

function looseBlocks(name: Pattern): Block[] {
  return [
    {
      tree: call(token(name, chars(' ', 0, 1), '(', openBrace), jsonArguments(), token(space()), close(')')),
      place: 'line',
    },
    { tree: call(token(name, blanks, openBrace), jsonArguments()), place: 'line' },
  ]
}

/**
 * The phrases of the OCI-Anthropic gateway's fallback. The object counts only if it has all that the tool requires: a
 * sentence is no proof.
 */
function phrases(name: Pattern): Block[] {
  const verb = oneOf('using', 'use', 'calling', 'call', 'invoking', 'invoke')
  const kind = sequence(someBlanks, oneOf('function', 'tool', 'method'))
  const quoted = sequence(maybe(oneOf('`', '"', "'")), name, maybe(oneOf('`', '"', "'")))
  const openers = [
    sequence(verb, someBlanks, maybe(sequence('the', someBlanks)), quoted, maybe(kind)),
    sequence(oneOf("I'll", 'I’ll', 'I will', 'Let me'), someBlanks, quoted),
    sequence(quoted, kind),
  ]
  return openers.map((opener): Block => {
    const one = call(token(opener, between), jsonArguments())
    return { tree: { ...one, isStrict: true }, place: 'phrase' }
  })
}
