// The parts that anycall uses of the package node-llama-cpp (version 3), under its own names: it is an optional peer
// dependency, so its types are not installed when anycall is built.

export interface NodeLlamaCpp {
  getLlama(options: { gpu: 'auto' | false; build: 'never'; logLevel: 'error'; maxThreads?: number }): Promise<Llama>
  LlamaGrammarEvaluationState: new (options: {
    model: LlamaModel
    grammar: LlamaGrammar
  }) => LlamaGrammarEvaluationState
}

export interface Llama {
  /** The number of cores that computing benefits from. */
  cpuMathCores: number
  loadModel(options: { modelPath: string; gpuLayers?: number }): Promise<LlamaModel>
  createGrammar(options: { grammar: string }): Promise<LlamaGrammar>
  dispose(): Promise<void>
}

/** An opaque compiled grammar. */
export type LlamaGrammar = object
/** A position of a reply in a grammar. Opaque here. */
export type LlamaGrammarEvaluationState = object

export interface LlamaModel {
  tokens: { bos: number | null; shouldPrependBosToken: boolean }
  tokenize(text: string, specialTokens: boolean): number[]
  detokenize(tokens: readonly number[], specialTokens: boolean, lastTokens: readonly number[]): string
  isSpecialToken(token: number): boolean
  isEogToken(token: number): boolean
  createContext(options: { sequences: number; contextSize?: number; threads: number }): Promise<LlamaContext>
  dispose(): Promise<void>
}

export interface LlamaContext {
  contextSize: number
  batchSize: number
  getSequence(): LlamaContextSequence
}

export interface LlamaContextSequence {
  nextTokenIndex: number
  compareContextTokens(tokens: readonly number[]): { firstDifferentIndex: number }
  adaptStateToTokens(tokens: readonly number[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>
  evaluate(tokens: readonly number[], options: EvaluateOptions): AsyncGenerator<number, void, undefined>
}

export interface EvaluateOptions {
  temperature: number
  topP: number
  topK: number
  minP: number
  seed: number
  yieldEogToken: true
  grammarEvaluationState?: LlamaGrammarEvaluationState
  repeatPenalty?: {
    punishTokens: () => number[]
    maxPunishTokens: number
    penalty: number
    presencePenalty: number
    frequencyPenalty: number
  }
}

/** True for the package as it is imported. */
export function isNodeLlamaCpp(module: unknown): module is NodeLlamaCpp {
  return (
    typeof module === 'object' &&
    module !== null &&
    'getLlama' in module &&
    typeof module.getLlama === 'function' &&
    'LlamaGrammarEvaluationState' in module
  )
}
