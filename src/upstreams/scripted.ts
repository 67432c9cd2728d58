import { writeReply } from './scripted/model.ts'
import { findPlay, type Play, type Playback, perform } from './scripted/playback.ts'
import type { Abilities, GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from './upstream.ts'
import { notTaken } from './upstream-error.ts'

export { type Fault, type Piece, type Play, type Playback, playText } from './scripted/playback.ts'

export interface ScriptedUpstreamOptions {
  /** Its name in the configuration. */
  name: string
  /** What to play instead of following the prompt. */
  play?: Playback
  /** What it says that it can be asked for; only what is played can answer more than messages. */
  abilities?: Abilities
}

/** The one model that the stand-in has. */
export const standInModel = 'anycall-stand-in'

/**
 * The embedded stand-in for a model server: no network, no clock, no chance. The same request gives the same pieces.
 * It follows its prompt as a small model would (it finds the tools and the way to call them in the text), or plays
 * what it is given.
 */
export function createScriptedUpstream(options: ScriptedUpstreamOptions): Upstream {
  let requests = 0
  return {
    name: options.name,
    type: 'scripted',
    abilities: options.abilities ?? { requests: ['messages'] },
    models: async () => [{ id: standInModel }],
    async generate(request: GenerationRequest, context: GenerationContext) {
      const index = requests++
      const given = options.play === undefined ? undefined : findPlay(options.play, index, request)
      const events = perform(given ?? follow(options.name, request), request, context.signal)
      return resume(await events.next(), events)
    },
  }
}

function follow(name: string, request: GenerationRequest): Play {
  if (request.type !== 'messages') throw notTaken(name, request)
  const pieces = cutIntoPieces(writeReply(request.messages))
  if (request.maxTokens === undefined || pieces.length <= request.maxTokens) return { pieces }
  return { pieces: pieces.slice(0, request.maxTokens), finish: 'length' }
}

/** Pieces of about a token: a word or a few characters of one, with the space before it. */
function cutIntoPieces(text: string): string[] {
  return text.match(/\s{0,4}\S{1,6}|\s{1,4}/gu) ?? []
}

/** The stream whose first batch was already taken, so that a failure before it is a failure of `generate`. */
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
