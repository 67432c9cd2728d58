import type { JsonObject } from '../../src/conversation/index.ts'
import { createScriptedUpstream, type Play, playText } from '../../src/upstreams/scripted.ts'
import type { ChatMessage, GenerationRequest, Upstream } from '../../src/upstreams/upstream.ts'
import { upstreamName } from '../gateway-fixture.ts'

export interface WrittenCall {
  name: string
  input: JsonObject
}

/** Writes calls as a model does that was told how by its prompt. */
export type CallWriter = (...calls: WrittenCall[]) => string

/** How a model writes calls in each dialect; written here a second time, so that no dialect is tested against itself. */
const writers: Readonly<Record<string, (calls: WrittenCall[], prompt: string) => string>> = {
  toolify: (calls, prompt) => `${triggerIn(prompt)}\n${calls.map(writeInvoke).join('\n')}`,
  'tool-call-json': (calls) =>
    calls
      .map(({ name, input }) => {
        const object = Object.entries(input).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
        return `<TOOL_CALL>\n{"name": "${name}", "input": {${object.join(', ')}}}\n</TOOL_CALL>`
      })
      .join('\n'),
}

function writeInvoke({ name, input }: WrittenCall): string {
  const parameters = Object.entries(input).map(
    ([key, value]) =>
      `<parameter name="${key}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`,
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
  const writer = writers[dialect]
  if (!writer) throw new Error(`no way of writing calls is known for the dialect ${dialect}`)
  const play = (index: number, request: GenerationRequest): Play | undefined => {
    requests.push(structuredClone(request))
    const reply = write((...calls) => writer(calls, promptText(request.messages)), request, index)
    return typeof reply === 'string' ? playText(reply, 3) : reply
  }
  return { upstream: createScriptedUpstream({ name: upstreamName, play }), requests }
}
