import type {
  Engine,
  EngineModel,
  EngineSequence,
  EngineSettings,
  WriteOptions,
} from '../../../src/upstreams/gguf/engine.ts'

/** For tests: the tokens of an engine whose vocabulary is bytes and some markers. */
export const markers: readonly string[] = ['<s>', '</s>', '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>']

const idOf = (marker: string): number => 256 + markers.indexOf(marker)

export const byteModel: Pick<EngineModel, 'tokenize' | 'textOf' | 'isSpecial' | 'isEnd' | 'firstToken'> = {
  firstToken: idOf('<s>'),
  tokenize: (text) =>
    text
      .split(/(<\/?[\w|]+>)/)
      .flatMap((part) => (markers.includes(part) ? [idOf(part)] : [...new TextEncoder().encode(part)])),
  textOf: (tokens) => {
    const bytes = tokens.flatMap((token) =>
      token < 256 ? [token] : [...new TextEncoder().encode(markers[token - 256] ?? '')],
    )
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes))
  },
  isSpecial: (token) => token >= 256,
  isEnd: (token) => token === idOf('</s>') || token === idOf('<|im_end|>'),
}

export interface FakeEngine extends Engine {
  /** The settings of each load of a model. */
  loads: EngineSettings[]
  /** The operations on sequences: `0 read 5`, `1 write 3`. */
  steps: string[]
  /** The options with which replies were written. */
  writes: WriteOptions[]
  isClosed: boolean
  sequences: readonly EngineSequence[]
}

export interface FakeEngineOptions {
  /** The tokens of each reply, with markers; an `Error` is thrown instead. The last one serves all further requests. */
  replies: readonly (string | readonly number[] | Error)[]
  contextSize?: number
  batchSize?: number
  /** Returns the error of a grammar. */
  refusalOf?: (grammar: string) => string | undefined
  /** Waited for before each token. */
  delay?: () => Promise<void>
  loadFault?: Error
  findFault?: Error
}

/** For tests: an engine that writes the given tokens, and records its calls. */
export function fakeEngine(options: FakeEngineOptions): FakeEngine {
  const { replies, contextSize = 1000, batchSize = 100, refusalOf, delay, loadFault, findFault } = options
  let count = 0
  const engine: FakeEngine = {
    loads: [],
    steps: [],
    writes: [],
    isClosed: false,
    sequences: [],
    async find() {
      if (findFault) throw findFault
    },
    async load(settings) {
      engine.loads.push(settings)
      if (loadFault) throw loadFault
      engine.sequences = Array.from({ length: settings.sequences }, (_, index) => sequence(index))
      return {
        ...byteModel,
        contextSize,
        batchSize,
        sequences: engine.sequences,
        refusalOf: async (grammar) => refusalOf?.(grammar),
        close: async () => {
          engine.isClosed = true
        },
      }
    },
  }
  const sequence = (index: number): EngineSequence => {
    let held: number[] = []
    const sharedWith = (tokens: readonly number[]) => {
      const at = held.findIndex((token, place) => token !== tokens[place])
      return at < 0 ? held.length : at
    }
    return {
      get length() {
        return held.length
      },
      sharedWith,
      async rewind(tokens) {
        held = held.slice(0, sharedWith(tokens))
        return held.length
      },
      async read(tokens) {
        engine.steps.push(`${index} read ${tokens.length}`)
        held.push(...tokens)
      },
      async *write(tokens, writing) {
        engine.steps.push(`${index} write ${tokens.length}`)
        engine.writes.push(writing)
        held.push(...tokens)
        const reply = replies[Math.min(count++, replies.length - 1)] ?? ''
        if (reply instanceof Error) throw reply
        for (const token of typeof reply === 'string' ? byteModel.tokenize(reply) : reply) {
          await delay?.()
          yield token
          held.push(token)
        }
      },
    }
  }
  return engine
}
