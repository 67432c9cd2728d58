import { AnycallError } from '../../conversation/index.ts'
import { builtinModule } from '../transport/builtin-module.ts'
import { importOptionalPackage } from '../transport/optional-package.ts'
import type { Engine, EngineModel, EngineSampling, EngineSequence, EngineSettings, WriteOptions } from './engine.ts'
import {
  isNodeLlamaCpp,
  type Llama,
  type LlamaContextSequence,
  type LlamaGrammar,
  type LlamaModel,
  type NodeLlamaCpp,
} from './node-llama-types.ts'

const packageName: string = 'node-llama-cpp'
const installCommand = `npm install ${packageName}`

/** llama.cpp in this process, through the package node-llama-cpp, which is loaded when it is first used. */
export const nodeLlama: Engine = {
  find: async () => {
    await importPackage()
  },
  load: async (settings) => loadModel(await importPackage(), settings),
}

async function importPackage(): Promise<NodeLlamaCpp> {
  const module = await importOptionalPackage(packageName, 'A model file in this process')
  if (isNodeLlamaCpp(module)) return module
  throw new AnycallError('internal', `The package ${packageName} does not have version 3: ${installCommand}@3`)
}

interface Instance {
  llama: Promise<Llama>
  users: number
}

/** The library in use, by how it was started: to start it takes half a second, and files share it. */
const instances = new Map<string, Instance>()

/** The library, with the function that releases it. */
async function startLibrary(
  library: NodeLlamaCpp,
  { threads, gpuLayers }: EngineSettings,
): Promise<{ llama: Llama; stop: () => Promise<void> }> {
  const options = {
    gpu: gpuLayers === 0 ? (false as const) : ('auto' as const),
    build: 'never' as const,
    logLevel: 'error' as const,
    ...(threads !== undefined && { maxThreads: threads }),
  }
  const key = JSON.stringify(options)
  const instance = instances.get(key) ?? { llama: library.getLlama(options), users: 0 }
  instances.set(key, instance)
  instance.users++
  const stop = async (): Promise<void> => {
    if (--instance.users > 0) return
    instances.delete(key)
    await (await instance.llama).dispose()
  }
  try {
    return { llama: await instance.llama, stop }
  } catch (error) {
    instances.delete(key)
    throw error
  }
}

async function loadModel(library: NodeLlamaCpp, settings: EngineSettings): Promise<EngineModel> {
  const { file, contextSize, threads, gpuLayers, sequences } = settings
  const { llama, stop } = await startLibrary(library, settings)
  try {
    const model = await llama.loadModel({ modelPath: file, ...(gpuLayers !== undefined && { gpuLayers }) })
    const context = await model.createContext({
      sequences,
      ...(contextSize !== undefined && { contextSize }),
      // By default it uses four threads even if there are fewer cores, and they wait for each other.
      threads:
        threads ?? Math.max(1, Math.min(llama.cpuMathCores, builtinModule('node:os')?.availableParallelism() ?? 1)),
    })
    const { bos, shouldPrependBosToken } = model.tokens
    const grammars = new Grammars(library, llama, model)
    return {
      contextSize: context.contextSize,
      batchSize: context.batchSize,
      sequences: Array.from({ length: sequences }, () => new NodeLlamaSequence(context.getSequence(), grammars)),
      firstToken: shouldPrependBosToken && bos !== null ? bos : undefined,
      tokenize: (text) => model.tokenize(text, true),
      textOf: (tokens, before) => model.detokenize(tokens, true, before),
      isSpecial: (token) => model.isSpecialToken(token),
      isEnd: (token) => model.isEogToken(token),
      refusalOf: (grammar) => grammars.refusalOf(grammar),
      close: async () => {
        // Objects made from the model are disposed with it.
        await model.dispose()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A conversation's requests have the same tools, and mostly the same grammar. */
const mostGrammars = 16

/** The grammars that were used last. */
class Grammars {
  readonly #library: NodeLlamaCpp
  readonly #llama: Llama
  readonly #model: LlamaModel
  readonly #made = new Map<string, LlamaGrammar>()

  constructor(library: NodeLlamaCpp, llama: Llama, model: LlamaModel) {
    this.#library = library
    this.#llama = llama
    this.#model = model
  }

  async refusalOf(text: string): Promise<string | undefined> {
    try {
      await this.#grammarOf(text)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Returns the position in the grammar at which a reply begins. */
  async stateOf(text: string): Promise<object> {
    const grammar = await this.#grammarOf(text)
    return new this.#library.LlamaGrammarEvaluationState({ model: this.#model, grammar })
  }

  async #grammarOf(text: string): Promise<LlamaGrammar> {
    const grammar = this.#made.get(text) ?? (await this.#llama.createGrammar({ grammar: text }))
    this.#made.delete(text)
    this.#made.set(text, grammar)
    const [oldest] = this.#made.keys()
    if (this.#made.size > mostGrammars && oldest !== undefined) this.#made.delete(oldest)
    return grammar
  }
}

/** Penalties look as far back as llama.cpp's do. */
const penaltyTokens = 64

class NodeLlamaSequence implements EngineSequence {
  readonly #sequence: LlamaContextSequence
  readonly #grammars: Grammars

  constructor(sequence: LlamaContextSequence, grammars: Grammars) {
    this.#sequence = sequence
    this.#grammars = grammars
  }

  get length(): number {
    return this.#sequence.nextTokenIndex
  }

  sharedWith(tokens: readonly number[]): number {
    return this.#sequence.compareContextTokens(tokens).firstDifferentIndex
  }

  async rewind(tokens: readonly number[]): Promise<number> {
    // Models with a sliding window or a recurrent state may have to remove more tokens than those that differ.
    await this.#sequence.adaptStateToTokens(tokens, false)
    return this.#sequence.nextTokenIndex
  }

  read(tokens: readonly number[]): Promise<void> {
    return this.#sequence.evaluateWithoutGeneratingNewTokens(tokens)
  }

  async *write(
    tokens: readonly number[],
    { grammar, sampling }: WriteOptions,
  ): AsyncGenerator<number, void, undefined> {
    const { temperature, topP, topK, minP, seed, presencePenalty, frequencyPenalty } = sampling
    const written: number[] = []
    const state = grammar === undefined ? undefined : await this.#grammars.stateOf(grammar)
    const evaluation = this.#sequence.evaluate(tokens, {
      temperature,
      topP,
      topK,
      minP,
      seed,
      yieldEogToken: true,
      ...(state && { grammarEvaluationState: state }),
      ...(isPenalized(sampling) && {
        repeatPenalty: {
          punishTokens: () => written.slice(-penaltyTokens),
          maxPunishTokens: penaltyTokens,
          penalty: 1,
          presencePenalty,
          frequencyPenalty,
        },
      }),
    })
    for await (const token of evaluation) {
      written.push(token)
      yield token
    }
  }
}

function isPenalized({ presencePenalty, frequencyPenalty }: EngineSampling): boolean {
  return presencePenalty !== 0 || frequencyPenalty !== 0
}
