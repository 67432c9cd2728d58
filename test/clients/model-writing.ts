import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { createScriptedUpstream, type Play, playText } from '../../src/upstreams/scripted.ts'
import type { ChatMessage, GenerationRequest, Upstream } from '../../src/upstreams/upstream.ts'
import { messagesOf } from '../../src/upstreams/upstream.ts'
import { upstreamName } from '../gateway-fixture.ts'

export interface WrittenCall {
  name: string
  input: JsonObject
}

/** Writes calls as a model does that was told how by its prompt. */
export type CallWriter = (...calls: WrittenCall[]) => string

/**
 * The dialects in which the protocols are proven: one whose calls count behind a trigger only, one that is JSON between
 * tags, and the one that reads every format. What differs between the formats themselves is proven by the laws of the
 * dialects, on all of them; here the question is what a client sees, which no format changes.
 */
export const protocolDialects: readonly string[] = ['toolify', 'tool-call-json', 'universal']

/** How a model writes calls in each dialect; written here a second time, so that no dialect is tested against itself. */
const writers: Readonly<Record<string, (calls: WrittenCall[], prompt: string) => string>> = {
  toolify: (calls, prompt) => `${triggerIn(prompt)}\n${calls.map(writeInvoke).join('\n')}`,
  'tool-call-json': writeToolCallJson,
  // As a model does that keeps to what it was trained on, whatever its prompt says. What it calls says in which format.
  universal: (calls) => {
    const form = trainedForms[JSON.stringify(calls).length % trainedForms.length] ?? writeToolCallJson
    return form(calls)
  },
}

function writeToolCallJson(calls: readonly WrittenCall[]): string {
  return calls
    .map(({ name, input }) => `<TOOL_CALL>\n{"name": "${name}", "input": ${spacedObject(input)}}\n</TOOL_CALL>`)
    .join('\n')
}

function spacedObject(input: JsonObject): string {
  const members = Object.entries(input).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return `{${members.join(', ')}}`
}

/** The formats in which models of several families write calls, as their chat templates have them. */
export const trainedForms: readonly ((calls: readonly WrittenCall[]) => string)[] = [
  writeToolCallJson,
  // Hermes, Qwen 2.5 and 3.
  (calls) =>
    calls
      .map(({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${spacedObject(input)}}\n</tool_call>`)
      .join('\n'),
  // Qwen3-Coder.
  (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `<parameter=${key}>\n${rawText(value)}\n</parameter>\n`,
        )
        return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`
      })
      .join('\n'),
  // Mistral, since its tokenizer of version 11.
  (calls) => calls.map(({ name, input }) => `[TOOL_CALLS]${name}[ARGS]${spacedObject(input)}`).join(''),
  // DeepSeek V3.2.
  (calls) => {
    const invokes = calls.map(({ name, input }) => {
      const parameters = Object.entries(input).map(
        ([key, value]) =>
          `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${rawText(value)}</｜DSML｜parameter>\n`,
      )
      return `<｜DSML｜invoke name="${name}">\n${parameters.join('')}</｜DSML｜invoke>\n`
    })
    return `<｜DSML｜function_calls>\n${invokes.join('')}</｜DSML｜function_calls>`
  },
  // Llama 3, without any marker.
  (calls) => calls.map(({ name, input }) => `{"name": "${name}", "parameters": ${spacedObject(input)}}`).join('; '),
  // Kimi K2.
  (calls) => {
    const written = calls.map(
      ({ name, input }, index) =>
        `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${spacedObject(input)}<|tool_call_end|>`,
    )
    return `<|tool_calls_section_begin|>${written.join('')}<|tool_calls_section_end|>`
  },
]

function rawText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Calls as a later prompt shows them to the model: mostly as it wrote them, but `universal` has a form of its own. */
export function replayedCalls(dialect: string, request: GenerationRequest): CallWriter {
  const writer = writerOf(dialect === 'universal' ? 'tool-call-json' : dialect)
  return (...calls) => writer(calls, promptText(messagesOf(request)))
}

function writerOf(dialect: string): (calls: WrittenCall[], prompt: string) => string {
  const writer = writers[dialect]
  if (!writer) throw new Error(`no way of writing calls is known for the dialect ${dialect}`)
  return writer
}

function writeInvoke({ name, input }: WrittenCall): string {
  const parameters = Object.entries(input).map(
    ([key, value]) => `<parameter name="${key}">${rawText(value)}</parameter>\n`,
  )
  return `<invoke name="${name}">\n${parameters.join('')}</invoke>`
}

/** The conversation's trigger, as the prompt tells it. */
export function triggerIn(prompt: string): string {
  const trigger = /<<CALL_\w+>>/.exec(prompt)?.[0]
  if (trigger === undefined) throw new Error('the prompt tells no trigger')
  return trigger
}

/** A prompt as an engine's chat template would write it: where it ends and what it begins with is what caches go by. */
export function promptText(messages: readonly ChatMessage[]): string {
  return messages.map((message) => `<|${message.role}|>\n${messageText(message)}<|end|>\n`).join('')
}

export function messageText({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}

export interface PlayedModel {
  upstream: Upstream
  /** What it was asked, in order. */
  requests: GenerationRequest[]
}

/** A reply: a text, which comes a few characters at a time, or pieces as they are. */
export type WrittenReply = string | Play

/** A model that answers as `write` says; undefined: it follows its prompt. */
export function playedModel(
  dialect: string,
  write: (calls: CallWriter, request: GenerationRequest, index: number) => WrittenReply | undefined = () => undefined,
): PlayedModel {
  const requests: GenerationRequest[] = []
  const writer = writerOf(dialect)
  const play = (index: number, request: GenerationRequest): Play | undefined => {
    requests.push(structuredClone(request))
    const reply = write((...calls) => writer(calls, promptText(messagesOf(request))), request, index)
    return typeof reply === 'string' ? playText(reply, 3) : reply
  }
  return { upstream: createScriptedUpstream({ name: upstreamName, play }), requests }
}
