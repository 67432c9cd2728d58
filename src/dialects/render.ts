import type { AssistantPart, CallPart } from '../conversation/index.ts'
import { ExampleGuard } from './example-guard.ts'

/**
 * The text of an assistant turn: its texts, and its calls in groups of neighbours, each group on a line of its own.
 * That line break is what a reader takes off again.
 */
export function renderTurn(
  parts: readonly AssistantPart[],
  renderText: (text: string) => string,
  renderCalls: (calls: CallPart[]) => string,
): string {
  let turn = ''
  let calls: CallPart[] = []
  const guard = new ExampleGuard()
  const writeCalls = () => {
    if (calls.length === 0) return
    const rendered = renderCalls(calls)
    calls = []
    if (turn !== '') turn += '\n'
    turn += rendered
  }
  for (const part of parts) {
    if (part.type === 'call') {
      if (calls.length === 0 && turn !== '') turn += closeFence(guard)
      calls.push(part)
    } else if (part.type === 'text' && part.text.trim() !== '') {
      writeCalls()
      guard.feed(part.text)
      turn += renderText(part.text)
    }
  }
  writeCalls()
  return turn
}

/** A fence that a model forgot to close would make an example of the call behind it. */
function closeFence(guard: ExampleGuard): string {
  const fence = guard.openFence
  if (fence === '') return ''
  const closer = `\n${fence}`
  guard.feed(`${closer}\n`)
  return closer
}

/** An id or name as an attribute's value; clients' ids are of any shape. */
export function attributeValue(text: string): string {
  return text.replace(/["<>&\s]/g, '_')
}
