import type { PlanName } from '../../src/gateway/config/config.ts'
import type { ChatTemplate } from '../../src/templates/index.ts'
import type { Piece } from '../../src/upstreams/scripted/scripted.ts'
import type { Abilities, ChatMessage, GenerationRequest } from '../../src/upstreams/upstream.ts'
import { messagesOf } from '../../src/upstreams/upstream.ts'
import { chatTemplate, messagesIn, renderConversation, thought, turnOf } from './chat-template.ts'
import {
  type CallForm,
  writeAsTemplate,
  writeAsTrained,
  writeMarked,
  writeToolCallJson,
  writeToolify,
} from './model-writing.ts'
import { nativePieces } from './native-pieces.ts'

/** A way in which a model is served, with its prompts and its output. */
export interface Setting {
  name: string
  /** The plan and the dialect of the model's rule. */
  rule: { plan: PlanName; dialect?: string }
  abilities: Abilities
  /** The template that the upstream shows as the model's. */
  template?: ChatTemplate
  /** Calls as the model writes them. */
  write: CallForm
  /** Calls as a later prompt shows them to the model: mostly as it wrote them. */
  replay: CallForm
  /** Returns the events that the upstream sends for the model's output. */
  send(pieces: readonly Piece[]): Piece[]
  /** The prompt as the model was shown it. */
  prompt(request: GenerationRequest): string
  /** The messages in it. */
  messages(request: GenerationRequest): ChatMessage[]
  /** A reply in the form of later prompts, after the prompt that it answers. */
  turn(text: string, reasoning: string): string
  /** The ids of calls, in a protocol whose own begin with `prefix`. */
  ids(prefix: string): RegExp
  /** Matches the text by which the model sees that a tool failed. */
  failure: RegExp
}

const ownIds = (prefix: string): RegExp => new RegExp(`^${prefix}\\w+$`)

function prompted(dialect: string, write: CallForm, replay: CallForm = write): Setting {
  return {
    name: `prompts, in the dialect ${dialect}`,
    rule: { plan: 'prompted', dialect },
    abilities: { requests: ['messages'] },
    write,
    replay,
    send: (pieces) => [...pieces],
    prompt: (request) => promptText(messagesOf(request)),
    messages: messagesOf,
    // Its reasoning goes beside it.
    turn: (text) => `<|assistant|>\n${text}<|end|>\n`,
    ids: ownIds,
    failure: /status="error"/,
  }
}

/**
 * The dialects in which the protocols are tested: one whose calls count only after a trigger, one that is JSON between
 * tags, and the one that reads every format. The laws of the dialects test the differences between all formats; these
 * tests are about the content that a client receives, which no format changes.
 */
export const toolify: Setting = prompted('toolify', writeToolify)
export const toolCallJson: Setting = prompted('tool-call-json', writeToolCallJson)
const universal = prompted('universal', writeAsTrained, writeToolCallJson)

/** The prompt that a server shows its model if it renders the prompt itself, or has it rendered. */
const byTemplate: Pick<Setting, 'replay' | 'turn' | 'failure'> = {
  replay: writeAsTemplate,
  turn: turnOf,
  failure: /Error: /,
}

/** A server with its own tool calling and ids: it renders the template, and reads the calls out of the text. */
export const native: Setting = {
  ...byTemplate,
  name: 'native calls',
  rule: { plan: 'native' },
  abilities: { requests: ['tools'] },
  write: writeMarked,
  send: nativePieces,
  prompt: renderedPrompt,
  messages: (request) => messagesIn(renderedPrompt(request)),
  ids: () => /^call_\w+$/,
}

/** An engine that takes whole prompts: the gateway renders the template. */
export const templated: Setting = {
  ...byTemplate,
  name: 'a chat template',
  rule: { plan: 'templated' },
  abilities: { requests: ['prompt'], constraint: 'gbnf' },
  template: chatTemplate,
  write: writeAsTemplate,
  send: thinkingInText,
  prompt: sentPrompt,
  messages: (request) => messagesIn(sentPrompt(request)),
  ids: ownIds,
}

/** The ways to serve in which the protocols are proven. */
export const settings: readonly Setting[] = [toolify, toolCallJson, universal, native, templated]

/** A prompt as an engine's chat template would write it: caches depend on its beginning and its end. */
function promptText(messages: readonly ChatMessage[]): string {
  return messages.map((message) => `<|${message.role}|>\n${messageText(message)}<|end|>\n`).join('')
}

export function messageText({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}

function renderedPrompt(request: GenerationRequest): string {
  if (request.type !== 'tools') throw new Error(`a conversation was to come, not ${request.type}`)
  return renderConversation(request.conversation)
}

function sentPrompt(request: GenerationRequest): string {
  if (request.type !== 'prompt') throw new Error(`a prompt was to come, not ${request.type}`)
  return request.prompt
}

/** An engine generates text only, its reasoning included. */
function thinkingInText(pieces: readonly Piece[]): Piece[] {
  let isThinking = false
  const sent = pieces.flatMap((piece): Piece[] => {
    const isThought = typeof piece === 'object' && 'reasoning' in piece
    const mark = isThought === isThinking ? [] : [isThought ? thought.open : thought.close]
    isThinking = isThought
    return [...mark, isThought ? piece.reasoning : piece]
  })
  return isThinking ? [...sent, thought.close] : sent
}
