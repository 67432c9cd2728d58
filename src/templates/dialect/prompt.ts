import { type AssistantPart, type Conversation, sharedLength, type Turn } from '../../conversation/index.ts'
import type { Steps } from '../../json/index.ts'
import type { TemplateAnalysis } from '../analysis/analysis.ts'
import { idPatterns, turnsWithIds } from '../analysis/probes/ids.ts'
import { nonces } from '../analysis/probes/nonces.ts'
import { type RenderOptions, renderingOf, safeRenderTemplate } from '../render/render.ts'
import type { RenderError } from '../render/render-error.ts'

export interface PromptOptions extends Omit<RenderOptions, 'addGenerationPrompt'> {
  /** The last turn is the assistant's and is continued: its text, or its reasoning. */
  continueReply?: 'text' | 'reasoning'
}

export interface TemplatePrompt {
  type: 'prompt'
  text: string
  /** The part of the reply that the prompt has begun: the prompt ends with it. The reader must read it first. */
  begun: string
  /** The changes made to the conversation because the template does not accept it as it is; for people. */
  adaptations: readonly string[]
}

/** The prompt for a conversation, up to the place where the model continues. */
export function* promptOf(
  analysis: TemplateAnalysis,
  conversation: Conversation,
  options: PromptOptions = {},
): Steps<TemplatePrompt | RenderError> {
  const { continueReply, variables, ...others } = options
  const { turns, continued } = splitContinued(conversation.turns, continueReply)
  const idOf = analysis.ids === undefined ? undefined : idPatterns[analysis.ids]
  const input = { ...conversation, turns: idOf ? turnsWithIds(turns, idOf) : turns }
  const settings = { variables: { ...switchOf(analysis, conversation), ...variables }, ...others }
  const rendered = yield* renderingOf(analysis.template, input, { addGenerationPrompt: true, ...settings })
  if (rendered.type === 'error') return rendered
  yield
  const again = (sent: readonly Turn[], addGenerationPrompt: boolean) => {
    const other = safeRenderTemplate(
      analysis.template,
      { ...input, turns: [...sent] },
      { addGenerationPrompt, ...settings },
    )
    return other.type === 'text' ? other.text : ''
  }
  const start = startOfReply(rendered.text, analysis.frame.header, input.turns, again)
  const begun = continued ? writeBegun(analysis, continued, continueReply ?? 'text') : rendered.text.slice(start)
  return { type: 'prompt', text: rendered.text.slice(0, start) + begun, begun, adaptations: rendered.adaptations }
}

/** The number of characters at the end of a text that are looked for in the prompt. */
const tailLength = 40

/**
 * The offset at which the reply begins in a prompt: after the header, if it is after the whole conversation. After a
 * tool's result some templates write no header, and the model continues its turn. `again` renders other turns, for
 * prompts in which this is ambiguous.
 */
function startOfReply(
  text: string,
  header: string,
  turns: readonly Turn[],
  again: (turns: readonly Turn[], addGenerationPrompt: boolean) => string,
): number {
  const at = header === '' ? -1 : text.lastIndexOf(header)
  const end = at + header.length
  if (at >= 0 && !isOlder(text, end, header, turns, again)) return end
  const plain = again(turns, false)
  const shared = sharedLength(plain, text)
  return at >= shared ? end : shared
}

/**
 * True if the last header belongs to an earlier turn. A short last text may occur after it by chance; a mark in the
 * text shows whether it does.
 */
function isOlder(
  text: string,
  end: number,
  header: string,
  turns: readonly Turn[],
  again: (turns: readonly Turn[], addGenerationPrompt: boolean) => string,
): boolean {
  const sent = lastText(turns)?.text.trim().slice(-tailLength) ?? ''
  if (sent === '' || (text.includes(sent) && !text.includes(sent, end))) return false
  const marked = again(withMark(turns), true)
  return marked.lastIndexOf(nonces.result) > marked.lastIndexOf(header)
}

/** The turns with a word after the text that was sent last. */
function withMark(turns: readonly Turn[]): Turn[] {
  const last = lastText(turns)
  return structuredClone(turns).map((turn, index): Turn => {
    if (index !== turns.length - 1 || !last) return turn
    if (turn.role === 'system') return { ...turn, text: turn.text + nonces.result }
    const part = turn.parts[last.part]
    const text = part?.type === 'result' ? part.content[last.content] : part
    if (text?.type === 'text') text.text += nonces.result
    return turn
  })
}

/** The text of the last message, with its place. */
function lastText(turns: readonly Turn[]): { text: string; part: number; content: number } | undefined {
  const last = turns.at(-1)
  if (last?.role === 'system') return { text: last.text, part: 0, content: 0 }
  const texts = (last?.parts ?? []).flatMap((one, part) =>
    (one.type === 'result' ? one.content : [one]).map((inner, content) => ({
      text: inner.type === 'text' ? inner.text : '',
      part,
      content,
    })),
  )
  return texts.findLast(({ text }) => text.trim() !== '')
}

/** The variables that tell the template to reason or not, if the client decided that. */
function switchOf(
  { reasoningSwitch }: TemplateAnalysis,
  { reasoning }: Conversation,
): Readonly<Record<string, unknown>> {
  if (!reasoning || !reasoningSwitch) return {}
  return reasoning.enabled ? reasoningSwitch.on : reasoningSwitch.off
}

function splitContinued(
  turns: readonly Turn[],
  continueReply: PromptOptions['continueReply'],
): { turns: Turn[]; continued: readonly AssistantPart[] | undefined } {
  const last = turns.at(-1)
  if (continueReply === undefined || last?.role !== 'assistant') return { turns: [...turns], continued: undefined }
  return { turns: turns.slice(0, -1), continued: last.parts }
}

/** A reply to be continued, as the template writes it, up to the place where the model continues. */
function writeBegun(
  { renders, frame, reasoning, content }: TemplateAnalysis,
  parts: readonly AssistantPart[],
  upTo: 'text' | 'reasoning',
): string {
  const textOf = (type: 'text' | 'reasoning') => parts.map((part) => (part.type === type ? part.text : '')).join('')
  const [thought, text] = [textOf('reasoning'), textOf('text')]
  const shown = renders.thoughtText?.includes(nonces.reasoning)
    ? renders.thoughtText.slice(frame.lead.length)
    : undefined
  // A template without reasoning does not prevent continuing it: most models know these tags.
  const form = reasoning.close === '' && upTo === 'reasoning' ? commonTags : reasoning
  const wrapped = `${form.open}${nonces.reasoning}${form.close}${content.open}${nonces.text}`
  const withThought = shown ?? (form.close === '' ? undefined : wrapped)
  const plain = `${content.head}${nonces.text}`
  // If no marker opens reasoning, only the closing marker shows that a text is not reasoning (Apriel 1.6).
  const isOver = reasoning.mode === 'delimiter' && upTo === 'text'
  const isThought = withThought !== undefined && (thought !== '' || isOver)
  const skeleton = isThought ? withThought : plain
  const end = upTo === 'reasoning' && isThought ? nonces.reasoning : nonces.text
  const cut = skeleton.slice(0, skeleton.indexOf(end) + end.length)
  const begun = isThought && thought === '' ? cut.replace(nonces.reasoning, '').trimStart() : cut
  return begun.replace(nonces.reasoning, () => thought).replace(nonces.text, () => text)
}

const commonTags = { open: '<think>', close: '</think>' }
