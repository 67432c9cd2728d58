import type { AssistantPart, CallPart, ResultPart } from '../../conversation/index.ts'
import { ExampleGuard } from '../read/examples/example-guard.ts'

/** The functions with which a dialect writes the parts of a turn. */
export interface TurnForm {
  text(text: string): string
  /** Calls that follow each other. */
  calls(calls: readonly CallPart[]): string
}

/**
 * The text of an assistant turn: its texts, and its calls in groups of neighbours, each group on its own line. A reader
 * removes that line break again. A fence that was left open is closed before a call: it would turn the call into an
 * example, or be removed together with it if it contains a trigger.
 */
export function renderTurn(parts: readonly AssistantPart[], form: TurnForm): string {
  const guard = new ExampleGuard()
  let turn = ''
  for (const group of groupsOf(parts)) {
    if (group.type === 'text') {
      guard.feed(group.text)
      turn += form.text(group.text)
      continue
    }
    if (guard.openFence !== '') {
      const closer = `\n${guard.openFence}`
      guard.feed(closer)
      turn += closer
    }
    if (turn !== '') turn += '\n'
    turn += form.calls(group.calls)
    guard.feed('\n')
  }
  return turn
}

type Group = { type: 'text'; text: string } | { type: 'calls'; calls: CallPart[] }

/** Neighbours of a kind together: a mark may be cut between two texts. Texts of white space alone are left out. */
function groupsOf(parts: readonly AssistantPart[]): Group[] {
  const groups: Group[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.type === 'text') {
      if (last?.type === 'text') last.text += part.text
      else groups.push({ type: 'text', text: part.text })
    } else if (part.type === 'call') {
      if (last?.type === 'text' && last.text.trim() === '') groups.pop()
      const previous = groups.at(-1)
      if (previous?.type === 'calls') previous.calls.push(part)
      else groups.push({ type: 'calls', calls: [part] })
    }
  }
  return groups.filter((group) => group.type === 'calls' || group.text.trim() !== '')
}

/** True for text that can be an attribute's value and be read back unchanged. */
export function isAttributeText(text: string): boolean {
  return text.length > 0 && text.length <= 200 && text.trim() === text && !/["<>\u0000-\u001f]/.test(text)
}

/** An id or name as an attribute's value; clients' ids are of any shape. */
export function attributeValue(text: string): string {
  return text.replace(/["<>&\s]/g, '_')
}

/** The characters on each side of a seam that matter: no mark is longer. */
const longestSeam = 512

/** True if two texts can be joined: no mark of the dialect arises across the join. */
export function standApart(before: string, after: string, neutralise: (text: string) => string): boolean {
  const [end, start] = [before.slice(-longestSeam), after.slice(0, longestSeam)]
  return neutralise(end + start) === neutralise(end) + neutralise(start)
}

/**
 * A result between two tags, with the marks of the dialect broken in it. If a tag and the text next to it would form a
 * mark, as `>` and `>>run` form Functionary's `>>>run`, the result gets its own lines.
 */
export function renderFramed(
  open: string,
  { content }: ResultPart,
  close: string,
  neutralise: (text: string) => string,
): string {
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  const text = texts.filter((part) => part !== '').join('\n')
  const isApart = standApart(open, text, neutralise) && standApart(text, close, neutralise)
  const lineBreak = isApart ? '' : '\n'
  return `${open}${lineBreak}${neutralise(text)}${lineBreak}${close}`
}
