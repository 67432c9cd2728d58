import { writeReply } from '../../src/upstreams/scripted/model.ts'
import { createScriptedUpstream, type Play, playText } from '../../src/upstreams/scripted.ts'
import type { ChatMessage, GenerationRequest, Upstream } from '../../src/upstreams/upstream.ts'
import { upstreamName } from '../gateway-fixture.ts'
import { objectOf, textOf } from './json.ts'
import type { CallWriter, WrittenCall } from './model-writing.ts'
import type { Setting } from './settings.ts'

export interface PlayedModel {
  upstream: Upstream
  /** What it was asked, in order. */
  requests: GenerationRequest[]
  /** The prompts that the model was shown, in order. */
  prompts(): string[]
  /** The messages in one of them; a negative place counts from the end. */
  messages(at: number): ChatMessage[]
}

/** A reply: a text, which comes a few characters at a time, or pieces as they are. */
export type WrittenReply = string | Play

/** What a model writes to a request; undefined: it follows its prompt. */
export type Writing = (calls: CallWriter, request: GenerationRequest, index: number) => WrittenReply | undefined

/** A model served in a setting, that answers as `write` says. */
export function playedModel(setting: Setting, write: Writing = () => undefined): PlayedModel {
  const requests: GenerationRequest[] = []
  const play = (index: number, request: GenerationRequest): Play => {
    requests.push(structuredClone(request))
    const calls: CallWriter = (...made) => setting.write(made, setting.prompt(request))
    const reply = write(calls, request, index) ?? follow(setting, request)
    return sent(setting, typeof reply === 'string' ? playText(reply, 3) : reply)
  }
  const { abilities, template } = setting
  const upstream = createScriptedUpstream({ name: upstreamName, abilities, play })
  return {
    upstream: template ? { ...upstream, template: async () => template } : upstream,
    requests,
    prompts: () => requests.map(setting.prompt),
    messages: (at) => {
      const request = requests.at(at)
      if (!request) throw new Error(`there is no request ${at} among ${requests.length}`)
      return setting.messages(request)
    },
  }
}

/** Calls as a later prompt shows them to the model that made them. */
export function replayedCalls(setting: Setting, request: GenerationRequest): CallWriter {
  return (...calls) => setting.replay(calls, setting.prompt(request))
}

/** What the upstream sends; of a cut reply, what was written up to there. */
function sent(setting: Setting, play: Play): Play {
  const { pieces, fault } = play
  if (fault?.type !== 'cut') return { ...play, pieces: setting.send(pieces) }
  const begun = setting.send(pieces.slice(0, fault.afterPieces))
  return { ...play, pieces: begun, fault: { ...fault, afterPieces: begun.length } }
}

/** As the stand-in does, whose pieces are words or parts of them. */
function follow(setting: Setting, request: GenerationRequest): Play {
  const held: ChatMessage = { role: 'system', parts: [{ type: 'text', text: heldTo(request) }] }
  const text = marked(setting, writeReply([...setting.messages(request), held]))
  const pieces = text.match(/\s{0,4}\S{1,6}|\s{1,4}/gu) ?? []
  const { maxTokens = Number.POSITIVE_INFINITY } = request
  return pieces.length <= maxTokens ? { pieces } : { pieces: pieces.slice(0, maxTokens), finish: 'length' }
}

/** What an engine holds its model to that is not in the prompt, in the words of a prompt. */
function heldTo(request: GenerationRequest): string {
  const mustCall = 'In your next reply you must call at least one tool.'
  if (request.type === 'tools') return request.conversation.toolChoice.type === 'required' ? mustCall : ''
  if (request.type !== 'prompt' || request.constraint?.type !== 'gbnf') return ''
  return request.constraint.grammar.isLazy ? '' : mustCall
}

/** The calls that a server reads out of its model's text are such as the setting has. */
function marked(setting: Setting, text: string): string {
  if (setting.rule.plan !== 'native') return text
  return text.replace(/<tool_call>\n(.*)\n<\/tool_call>\n?/g, (_, json: string) => {
    const call = objectOf(JSON.parse(json))
    const read: WrittenCall = { name: textOf(call.name), input: objectOf(call.arguments) }
    return setting.write([read], '')
  })
}
