import { createScriptedUpstream, type Play, playText } from '../../src/upstreams/scripted/scripted.ts'
import type { ChatMessage, GenerationRequest, Upstream } from '../../src/upstreams/upstream.ts'
import { upstreamName } from '../support/gateway-fixture.ts'
import type { CallWriter, WrittenCall } from './model-writing.ts'
import type { Setting } from './settings.ts'

export interface PlayedModel {
  upstream: Upstream
  /** The requests to the model, in order. */
  requests: GenerationRequest[]
  /** The prompts that the model was shown, in order. */
  prompts(): string[]
  /** The messages in one of them; a negative place counts from the end. */
  messages(at: number): ChatMessage[]
}

/** A reply: a text, which comes a few characters at a time, or pieces as they are. */
export type WrittenReply = string | Play

/** Returns the model's reply to a request. */
export type Writing = (calls: CallWriter, request: GenerationRequest, index: number) => WrittenReply

/** A script: the model's replies in turn, as text, or as the calls that it makes. */
export type Script = readonly (string | readonly WrittenCall[])[]

/** Plays a script, a reply for each request. */
export function scripted(script: Script): Writing {
  return (calls, _, index) => {
    const reply = script[index]
    if (reply === undefined) throw new Error(`the script has ${script.length} replies, and none for request ${index}`)
    return typeof reply === 'string' ? reply : `I will call.\n${calls(...reply)}`
  }
}

/** A model served in a setting, whose replies `write` returns. */
export function playedModel(setting: Setting, write: Writing): PlayedModel {
  const requests: GenerationRequest[] = []
  const play = (index: number, request: GenerationRequest): Play => {
    requests.push(structuredClone(request))
    const calls: CallWriter = (...made) => setting.write(made, setting.prompt(request))
    const reply = write(calls, request, index)
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

/** Returns the output of the upstream; for a cut reply, the output up to the cut. */
function sent(setting: Setting, play: Play): Play {
  const { pieces, fault } = play
  if (fault?.type !== 'cut') return { ...play, pieces: setting.send(pieces) }
  const begun = setting.send(pieces.slice(0, fault.afterPieces))
  return { ...play, pieces: begun, fault: { ...fault, afterPieces: begun.length } }
}
