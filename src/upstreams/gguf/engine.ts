/** An engine that runs a model file in this process. */
export interface Engine {
  /** Rejects with an AnycallError that names the package to install if the engine is missing. */
  find(): Promise<void>
  /** Rejects for a file that cannot be loaded. */
  load(settings: EngineSettings): Promise<EngineModel>
}

export interface EngineSettings {
  file: string
  /** Tokens for each conversation; absent: as many as the model was made for and memory allows. */
  contextSize?: number
  threads?: number
  /** Absent: as many as fit. */
  gpuLayers?: number
  /** The number of conversations that are kept and can continue at the same time. */
  sequences: number
}

/** A model in memory. */
export interface EngineModel {
  /** Tokens of one conversation. */
  readonly contextSize: number
  /** The number of tokens that are read at once. */
  readonly batchSize: number
  readonly sequences: readonly EngineSequence[]
  /** The token that every prompt begins with, if the model needs one. */
  readonly firstToken: number | undefined
  /** Special tokens in the text are tokenized as such; nothing is added. */
  tokenize(text: string): number[]
  /** Returns the text of tokens that follow others, with special tokens shown. Incomplete characters are U+FFFD. */
  textOf(tokens: readonly number[], before: readonly number[]): string
  /** Returns true for special tokens. Text with the same spelling is tokenised differently. */
  isSpecial(token: number): boolean
  /** True for tokens that end a turn. */
  isEnd(token: number): boolean
  /** Reads a grammar in GBNF; resolves with the error in it, or undefined if it can be used. */
  refusalOf(grammar: string): Promise<string | undefined>
  close(): Promise<void>
}

/** One conversation in the engine's memory. Its methods are called one after another. */
export interface EngineSequence {
  /** The number of tokens that the sequence holds. */
  readonly length: number
  /** Returns how many of its first tokens the prompt begins with. */
  sharedWith(tokens: readonly number[]): number
  /** Removes the tokens that differ from the given ones; resolves with the number that it still contains. */
  rewind(tokens: readonly number[]): Promise<number>
  read(tokens: readonly number[]): Promise<void>
  /** Reads the tokens, at least one, and generates until it is stopped. The token that ends a turn is emitted too. */
  write(tokens: readonly number[], options: WriteOptions): AsyncGenerator<number, void, undefined>
}

export interface WriteOptions {
  /** In GBNF; one that was not refused. */
  grammar?: string
  sampling: EngineSampling
}

export interface EngineSampling {
  /** 0: always the likeliest token. */
  temperature: number
  topP: number
  /** 0: of all tokens. */
  topK: number
  minP: number
  seed: number
  presencePenalty: number
  frequencyPenalty: number
}
