import { notTaken } from '../http/upstream-error.ts'
import type { Abilities, GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { findPlay, type Play, type Playback, perform, playText } from './playback.ts'
import { replyTo, type ScriptedReply, writeReply } from './reply.ts'

export { type Piece, type Play, type Playback, type PlaybackFault, playText } from './playback.ts'
export type { ScriptedReply } from './reply.ts'

export interface ScriptedUpstreamOptions {
  /** Its name in the configuration. */
  name: string
  /** The replies to the first requests, in turn, as the dialect of the prompt writes them; an empty one: its own. */
  replies?: readonly ScriptedReply[]
  /** The replies to play first, piece by piece. */
  play?: Playback
  /** The kinds of requests that it reports to support. Only played replies can answer more than messages. */
  abilities?: Abilities
}

/** Characters of a piece: about a token. */
const pieceSize = 4

/** The one model that it has. */
const scriptedModel = 'anycall-scripted'

/**
 * A model in this process: no network, no clock, no randomness. The same requests give the same pieces. It plays the
 * given replies; otherwise it calls the tool that the user names, or the first one, and repeats the tool's result.
 */
export function createScriptedUpstream(options: ScriptedUpstreamOptions): Upstream {
  let requests = 0
  return {
    name: options.name,
    type: 'scripted',
    abilities: options.abilities ?? { requests: ['messages'] },
    models: async () => [{ id: scriptedModel }],
    async generate(request: GenerationRequest, context: GenerationContext) {
      context.attempts?.take()
      const index = requests++
      const given = options.play === undefined ? undefined : findPlay(options.play, index, request)
      const play = given ?? write(options, request, { index, context })
      const events = perform(play, request, context.signal)
      return resume(await events.next(), events)
    },
  }
}

interface Asked {
  /** The number of earlier requests. */
  index: number
  context: GenerationContext
}

function write({ name, replies = [] }: ScriptedUpstreamOptions, request: GenerationRequest, asked: Asked): Play {
  if (request.type !== 'messages') throw notTaken(name, request)
  const { source } = asked.context
  const given = replies[asked.index] ?? {}
  const isEmpty = given.text === undefined && given.calls === undefined
  const written = writeReply(isEmpty ? replyTo(source?.conversation) : given, source)
  const { pieces } = playText(written, pieceSize)
  if (request.maxTokens === undefined || pieces.length <= request.maxTokens) return { pieces }
  return { pieces: pieces.slice(0, request.maxTokens), finish: 'length' }
}

/**
 * Returns the stream with its first batch, which was already read so that a failure before it is a failure of
 * `generate`.
 */
async function* resume(
  first: IteratorResult<UpstreamEvent[], void>,
  rest: AsyncGenerator<UpstreamEvent[], void, undefined>,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  if (first.done) return
  try {
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}
