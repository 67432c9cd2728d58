import { ListMemo, memoize, RecentMap, type Tool } from '../../../conversation/index.ts'
import {
  call,
  choice,
  close,
  jsonArguments,
  jsonCalls,
  oneOrMore,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { BegunCall, Block, NamedCalls } from '../../format/format.ts'
import { argumentsUpTo } from '../../formats/functions/pythonic.ts'
import { bareJson } from '../../formats/json/bare-json.ts'
import { marksOfFormat } from '../../marks/format-marks.ts'
import type { Mark } from '../../marks/marks.ts'
import { longestLine, type NamedTool, namedTools } from './named-tools.ts'

const blanks: Pattern = pattern.chars(' \\t', 0, 16, ' ')
const someBlanks: Pattern = pattern.chars(' \\t', 1, 16, ' ')
const openBrace: Pattern = pattern.sequence(pattern.space(), pattern.ahead('{'))
/** Text that is allowed between a phrase and the object, which begins on the same line or the next. */
const between: Pattern = pattern.sequence(
  pattern.chars('^{}\\n.!?', 0, 60),
  pattern.tolerated('\n'),
  blanks,
  pattern.ahead('{'),
)

/** The calls of one list of tools that begin with a tool's name. */
export interface CallsByName {
  blocks: readonly Block[]
  /** The beginnings of these calls, to be broken in text of others. */
  marks: readonly Mark[]
}

/** The results for the lists of tools that came last: the requests of a conversation, and of a client, offer the same tools. */
const remembered = new RecentMap<string, CallsByName>(32)
const ofLists = new ListMemo<Map<string, CallsByName>>()
const none: CallsByName = { blocks: [], marks: [] }

/** Returns a text that identifies the form of a call that the prompt has begun. */
const textOf = memoize((begun: BegunCall) => JSON.stringify(begun.call(begun.marker(pattern.literal('')))))

/**
 * Returns blocks that begin with a tool's name. They are made for the given tools, because a call is found by their
 * names alone.
 */
export function namedCalls(tools: readonly Tool[], wanted: NamedCalls): CallsByName {
  const { unmarked, loose, lines, lastLines, keyed, elements, naturalLanguage, bareJson, begun } = wanted
  const flags = [unmarked, loose, lines, lastLines, keyed, elements, naturalLanguage, bareJson]
  if (tools.length === 0 || !(begun || flags.includes(true))) return none
  const key = flags.map((flag) => (flag ? 1 : 0)).join('') + (begun ? textOf(begun) : '')
  const known = ofLists.of(tools, () => new Map())
  let calls = known.get(key)
  if (!calls) {
    const named = namedTools(tools, wanted)
    calls = remembered.of(key + JSON.stringify(named), () => createCalls(named, wanted))
    known.set(key, calls)
  }
  return calls
}

function createCalls(tools: readonly NamedTool[], wanted: NamedCalls): CallsByName {
  const names = [...new Set(tools.map((tool) => tool.name))]
  if (names.length === 0) return none
  const name: Pattern = {
    type: 'capture',
    as: 'name',
    of: pattern.choice(...names.sort((a, b) => b.length - a.length)),
  }
  return { blocks: createBlocks(tools, name, wanted), marks: createMarks(tools, names, wanted) }
}

/** Returns the marks of these blocks: each kind has one with which all its calls begin. */
function createMarks(tools: readonly NamedTool[], names: readonly string[], wanted: NamedCalls): Mark[] {
  const name = pattern.choice(...names)
  const needsKey = (one: string) =>
    !wanted.lines && !tools.some(({ name, required }) => name === one && required?.length === 0)
  const beforeArguments = (one: string): Mark => ({
    type: 'split',
    before: `${one}(`,
    after: needsKey(one) ? keyedRest : pattern.choice(keyedRest, pattern.sequence(blanks, ')')),
  })
  return [
    ...(wanted.unmarked ? ['[ARGS]'] : []),
    ...(wanted.lines || wanted.loose || wanted.lastLines ? names.map(beforeArguments) : []),
    ...(wanted.loose ? [pattern.sequence(name, blanks, pattern.tolerated('('), openBrace)] : []),
    ...(wanted.keyed ? [keyedHead(name)] : []),
    ...(wanted.elements ? [...tools.flatMap(elementHead), ...emptyElements(tools)] : []),
    ...(wanted.naturalLanguage ? [pattern.sequence(name, between)] : []),
    ...(wanted.bareJson ? marksOfFormat({ blocks: bareJson }) : []),
    ...(wanted.begun ? [wanted.begun.marker(name)] : []),
  ]
}

function createBlocks(tools: readonly NamedTool[], name: Pattern, wanted: NamedCalls): readonly Block[] {
  return [
    ...(wanted.unmarked ? unmarkedBlocks(name) : []),
    ...(wanted.loose ? looseBlocks(name) : []),
    ...(wanted.lines ? [pythonLines(name, lineOf(name, keyedOrNone))] : []),
    ...(wanted.loose ? [pythonLines(name, lineOf(name, keyed))] : []),
    ...(wanted.lastLines ? lastLines(tools, name) : []),
    ...(wanted.keyed ? [keyedList(toName(name))] : []),
    ...(wanted.elements ? [...toolElements(tools, name), ...emptyElements(tools).map(emptyElement)] : []),
    ...(wanted.naturalLanguage ? phrases(name) : []),
    ...(wanted.bareJson ? bareJsonAsked : []),
    ...(wanted.begun ? [{ tree: wanted.begun.call(wanted.begun.marker(name)), place: 'head' as const }] : []),
  ]
}

/** The blocks of bare JSON for readers that accept them. */
const bareJsonAsked: readonly Block[] = bareJson.map((block) => ({ ...block, readFrom: 'JSON without any marker' }))

function unmarkedBlocks(name: Pattern): Block[] {
  return [{ tree: call(token(name, blanks, '[ARGS]', openBrace), jsonArguments()), place: 'line' }]
}

function looseBlocks(name: Pattern): Block[] {
  return [
    {
      tree: call(
        token(name, pattern.chars(' ', 0, 1), '(', openBrace),
        jsonArguments(),
        token(pattern.space()),
        close(')'),
      ),
      place: 'line',
    },
    { tree: call(token(name, blanks, openBrace), jsonArguments()), place: 'line' },
  ]
}

function keyedList(name: Pattern): Block {
  const tree = sequence(token(pattern.ahead(keyedHead(name))), jsonCalls({ name: undefined, arguments: 'arguments' }))
  return { tree, place: 'line' }
}

function keyedHead(name: Pattern): Pattern {
  const quote = pattern.choice('"', "'")
  return pattern.sequence(
    '[',
    pattern.space(),
    '{',
    pattern.space(),
    quote,
    name,
    quote,
    pattern.space(),
    ':',
    pattern.space(),
    '{',
  )
}

/** An element that is named like a tool, with an argument of that tool first in it, or with all of them as JSON. */
function toolElements(tools: readonly NamedTool[], name: Pattern): Block[] {
  const heads = tools.flatMap(elementHead)
  if (heads.length === 0) return []
  const names = tools.flatMap((tool) => (tool.elements ? [`</${tool.name}>`] : []))
  const argument = sequence(
    token(pattern.space(), '<', pattern.capture('key', '\\w.-'), '>'),
    value(pattern.sequence('</', pattern.captured('key'), '>'), { encoding: 'markup', keepsQuotes: true }),
  )
  const one = call(
    token('<', name, '>'),
    choice(oneOrMore(argument), sequence(token(openBrace), jsonArguments())),
    token(pattern.space()),
    close(pattern.sequence('</', pattern.captured('name'), '>')),
  )
  const again = tolerated(token(pattern.space(), pattern.choice(...names)))
  return [{ tree: sequence(token(pattern.ahead(pattern.choice(...heads))), one, again), place: 'phrase' }]
}

function elementHead({ name, elements }: NamedTool): Pattern[] {
  if (!elements) return []
  const key = elements.length > 0 ? pattern.choice(...elements) : pattern.chars('\\w.-', 1, 64)
  const json = pattern.sequence('{', pattern.space(), '"')
  return [pattern.sequence('<', name, '>', pattern.space(), pattern.choice(pattern.sequence('<', key, '>'), json))]
}

/** The elements of tools that may be called without arguments: `<get_time></get_time>`, `<get_time/>`. */
function emptyElements(tools: readonly NamedTool[]): Pattern[] {
  const names = tools.flatMap(({ name, mayBeEmpty }) => (mayBeEmpty ? [name] : []))
  if (names.length === 0) return []
  const end = pattern.choice(
    pattern.sequence(blanks, '/>'),
    pattern.sequence('>', pattern.space(), '</', pattern.captured('name'), '>'),
  )
  return [pattern.sequence('<', { type: 'capture', as: 'name', of: pattern.choice(...names) }, end)]
}

/** Such an element on its own line: in a sentence it is mentioned. */
function emptyElement(element: Pattern): Block {
  const after = pattern.choice(pattern.textEnd, pattern.sequence(blanks, pattern.choice('\n', '<')))
  return { tree: call(token(element, pattern.ahead(after))), place: 'line' }
}

/** The arguments of a call on one line, up to its end. */
const callLine: Pattern = pattern.sequence('(', pattern.chars('^\\n', 0, longestLine), ')', blanks)
/** The beginning of arguments: a named argument, as Granite writes all of them. */
const keyedRest: Pattern = pattern.sequence(blanks, pattern.chars('\\w', 1, 128), blanks, '=', pattern.notAhead('='))
const keyed: Pattern = pattern.sequence('(', keyedRest)
const keyedOrNone: Pattern = pattern.choice(keyed, pattern.sequence('(', blanks, ')'))

/** A line that is a call and nothing else. */
function lineOf(name: Pattern, begins: Pattern): Pattern {
  return pattern.sequence(toName(name), pattern.ahead(begins), callLine, pattern.choice('\n', pattern.textEnd))
}

function toName(name: Pattern): Pattern {
  return name.type === 'capture' ? name.of : name
}

/** A call with all required arguments of its tool, after which the reply ends or another call begins. */
function lastLines(tools: readonly NamedTool[], name: Pattern): Block[] {
  const whole = tools.flatMap((tool) => {
    if (!tool.required) return []
    const has = tool.required.map((key) =>
      pattern.ahead(pattern.sequence(pattern.chars('^\\n', 0, longestLine), key, blanks, '=', pattern.notAhead('='))),
    )
    return [pattern.sequence(tool.name, ...has)]
  })
  if (whole.length === 0) return []
  const after = pattern.sequence(
    pattern.space(),
    pattern.choice(
      pattern.textEnd,
      pattern.sequence('```', pattern.space(), pattern.textEnd),
      pattern.sequence(toName(name), keyedOrNone),
    ),
  )
  return [pythonLines(name, pattern.sequence(pattern.choice(...whole), pattern.ahead(keyedOrNone), callLine, after))]
}

/** `f(a=1)`, line by line. Each line is first examined as a whole, because only its form distinguishes it from code. */
function pythonLines(name: Pattern, line: Pattern): Block {
  const one = call(token(name, '(', pattern.space()), argumentsUpTo('\n'))
  return {
    tree: sequence(token(pattern.ahead(line)), one, tolerated(token(blanks, pattern.choice(';', '')))),
    place: 'line',
  }
}

/**
 * The phrases of the OCI-Anthropic gateway's fallback. The object counts only if it has all that the tool requires: a
 * sentence is no proof.
 */
function phrases(name: Pattern): Block[] {
  const verb = pattern.choice('using', 'use', 'calling', 'call', 'invoking', 'invoke')
  const kind = pattern.sequence(someBlanks, pattern.choice('function', 'tool', 'method'))
  const quoted = pattern.sequence(
    pattern.tolerated(pattern.choice('`', '"', "'")),
    name,
    pattern.tolerated(pattern.choice('`', '"', "'")),
  )
  const openers = [
    pattern.sequence(
      verb,
      someBlanks,
      pattern.tolerated(pattern.sequence('the', someBlanks)),
      quoted,
      pattern.tolerated(kind),
    ),
    pattern.sequence(pattern.choice("I'll", 'I’ll', 'I will', 'Let me'), someBlanks, quoted),
    pattern.sequence(quoted, kind),
  ]
  return openers.map((opener): Block => {
    const one = call(token(opener, between), jsonArguments())
    return { tree: { ...one, isStrict: true }, place: 'phrase', readFrom: 'a sentence' }
  })
}
