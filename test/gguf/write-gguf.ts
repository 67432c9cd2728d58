// Writes a tiny GGUF file: a model of the llama architecture with random weights, for tests. The layout follows the GGUF
// specification of the ggml project (docs/gguf.md there), version 3, little-endian.

export interface TinyModel {
  chatTemplate?: string
  /** The texts of tokens in addition to the bytes and the printable characters; the ends of turns belong here too. */
  tokens?: readonly TinyToken[]
  /** By the names that chat templates use; they must be among the tokens. Absent: `<s>` and `</s>`. */
  bos?: string
  eos?: string
  /** A second token that ends a turn. */
  eot?: string
  name?: string
  contextLength?: number
  /** The engine writes a space before a text's first word, as SentencePiece does. */
  addSpacePrefix?: boolean
  /** The amounts by which tokens are likelier than others, by their texts, in logits; bytes are written as `<0x0A>`. */
  bias?: Readonly<Record<string, number>>
  /** The same seed gives the same file. */
  seed?: number
}

export interface TinyToken {
  text: string
  /** `control`: emitted only if special tokens are; `user-defined`: found in any text; `normal`: a part of words. */
  type: 'control' | 'user-defined' | 'normal'
}

const width = 64
const heads = 4
const inner = 128
const layers = 2

/** `tokenizer.ggml.token_type`, as llama.cpp numbers them. */
const tokenTypes = { normal: 1, unknown: 2, control: 3, 'user-defined': 4, byte: 6 } as const

interface VocabularyEntry {
  text: string
  type: keyof typeof tokenTypes
  score: number
}

/** The bytes of the file. */
export function writeGguf(model: TinyModel = {}): Uint8Array {
  const { bos = '<s>', eos = '</s>' } = model
  const vocabulary = vocabularyOf(model, [bos, eos])
  const idOf = (text: string) => vocabulary.findIndex((entry) => entry.text === text)
  const contextLength = model.contextLength ?? 8192
  const metadata: [string, Value][] = [
    ['general.architecture', string('llama')],
    ['general.name', string(model.name ?? 'Tiny')],
    ['llama.vocab_size', uint32(vocabulary.length)],
    ['llama.context_length', uint32(contextLength)],
    ['llama.embedding_length', uint32(width)],
    ['llama.block_count', uint32(layers)],
    ['llama.feed_forward_length', uint32(inner)],
    ['llama.attention.head_count', uint32(heads)],
    ['llama.attention.head_count_kv', uint32(heads)],
    ['llama.attention.layer_norm_rms_epsilon', float32(1e-5)],
    ['llama.rope.dimension_count', uint32(width / heads)],
    ['tokenizer.ggml.model', string('llama')],
    ['tokenizer.ggml.tokens', array(vocabulary.map(({ text }) => string(text)))],
    ['tokenizer.ggml.scores', array(vocabulary.map(({ score }) => float32(score)))],
    ['tokenizer.ggml.token_type', array(vocabulary.map(({ type }) => int32(tokenTypes[type])))],
    ['tokenizer.ggml.unknown_token_id', uint32(idOf('<unk>'))],
    ['tokenizer.ggml.bos_token_id', uint32(idOf(bos))],
    ['tokenizer.ggml.eos_token_id', uint32(idOf(eos))],
    ...(model.eot === undefined
      ? []
      : [['tokenizer.ggml.eot_token_id', uint32(idOf(model.eot))] satisfies [string, Value]]),
    ['tokenizer.ggml.add_bos_token', bool(true)],
    ['tokenizer.ggml.add_space_prefix', bool(model.addSpacePrefix ?? false)],
    ...(model.chatTemplate === undefined
      ? []
      : [['tokenizer.chat_template', string(model.chatTemplate)] satisfies [string, Value]]),
  ]
  return writeFile(metadata, tensorsOf(vocabulary.length), weightsOf(model, vocabulary))
}

/** Bytes, so that any text can be written; printable characters; and the given tokens. */
function vocabularyOf({ tokens = [] }: TinyModel, named: readonly string[]): VocabularyEntry[] {
  const known = new Set(tokens.map(({ text }) => text))
  const added = [
    ...named.filter((text) => !known.has(text)).map((text): TinyToken => ({ text, type: 'control' })),
    ...tokens,
  ]
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter(
    (char) => !known.has(char),
  )
  return [
    { text: '<unk>', type: 'unknown', score: 0 },
    ...bytes.map((text): VocabularyEntry => ({ text, type: 'byte', score: 0 })),
    // SentencePiece writes a space as U+2581.
    ...printable.map((char): VocabularyEntry => ({ text: char.replace(' ', '\u2581'), type: 'normal', score: -1 })),
    ...added.map(({ text, type }): VocabularyEntry => ({ text, type, score: type === 'normal' ? -0.5 : 0 })),
  ]
}

interface Tensor {
  name: string
  /** The innermost first. */
  dimensions: readonly number[]
}

function tensorsOf(vocabularySize: number): Tensor[] {
  const blocks = Array.from({ length: layers }, (_, layer): Tensor[] => [
    { name: `blk.${layer}.attn_norm.weight`, dimensions: [width] },
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((part) => ({
      name: `blk.${layer}.${part}.weight`,
      dimensions: [width, width],
    })),
    { name: `blk.${layer}.ffn_norm.weight`, dimensions: [width] },
    { name: `blk.${layer}.ffn_gate.weight`, dimensions: [width, inner] },
    { name: `blk.${layer}.ffn_up.weight`, dimensions: [width, inner] },
    { name: `blk.${layer}.ffn_down.weight`, dimensions: [inner, width] },
  ])
  return [
    { name: 'token_embd.weight', dimensions: [width, vocabularySize] },
    ...blocks.flat(),
    { name: 'output_norm.weight', dimensions: [width] },
    { name: 'output.weight', dimensions: [width, vocabularySize] },
  ]
}

/** The first dimension of each token's embedding; all others are small in comparison. */
const constant = 2
const spread = 0.1
/** The same after the last norm. */
const constantBehindNorm = constant / Math.sqrt((constant ** 2 + ((width - 1) * spread ** 2) / 12) / width)

/**
 * Small numbers around zero; a norm's weights are one. With them all tokens are about equally likely, and depend a
 * little on the text before. The first dimension is the same for all tokens, so that the output's weight for it makes a
 * token likelier or not.
 */
function weightsOf(
  { seed = 1, bias = {} }: TinyModel,
  vocabulary: readonly VocabularyEntry[],
): (tensor: Tensor, index: number) => number {
  let state = Math.imul(seed, 2654435761) + 1
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917)
    return (((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296 - 0.5) * spread
  }
  return ({ name, dimensions }, index) => {
    if (dimensions.length === 1) return 1
    if (index % width === 0 && name === 'token_embd.weight') return constant
    if (index % width === 0 && name === 'output.weight') {
      return (bias[vocabulary[index / width]?.text ?? ''] ?? 0) / constantBehindNorm
    }
    return random()
  }
}

/** A value with the number of its type in the format. */
interface Value {
  type: number
  write(bytes: Bytes): void
}

const uint32 = (value: number): Value => ({ type: 4, write: (bytes) => bytes.uint32(value) })
const int32 = (value: number): Value => ({ type: 5, write: (bytes) => bytes.uint32(value) })
const float32 = (value: number): Value => ({ type: 6, write: (bytes) => bytes.float32(value) })
const bool = (value: boolean): Value => ({ type: 7, write: (bytes) => bytes.uint8(value ? 1 : 0) })
const string = (value: string): Value => ({ type: 8, write: (bytes) => bytes.text(value) })
const array = (values: readonly Value[]): Value => ({
  type: 9,
  write: (bytes) => {
    bytes.uint32(values[0]?.type ?? 4)
    bytes.uint64(values.length)
    for (const value of values) value.write(bytes)
  },
})

const alignment = 32
const tensorTypeF32 = 0

function writeFile(
  metadata: readonly [string, Value][],
  tensors: readonly Tensor[],
  weight: (tensor: Tensor, index: number) => number,
): Uint8Array {
  const bytes = new Bytes()
  bytes.raw(new TextEncoder().encode('GGUF'))
  bytes.uint32(3)
  bytes.uint64(tensors.length)
  bytes.uint64(metadata.length)
  for (const [key, value] of metadata) {
    bytes.text(key)
    bytes.uint32(value.type)
    value.write(bytes)
  }
  let offset = 0
  for (const { name, dimensions } of tensors) {
    bytes.text(name)
    bytes.uint32(dimensions.length)
    for (const dimension of dimensions) bytes.uint64(dimension)
    bytes.uint32(tensorTypeF32)
    bytes.uint64(offset)
    offset += Math.ceil((sizeOf(dimensions) * 4) / alignment) * alignment
  }
  for (const tensor of tensors) {
    bytes.align(alignment)
    const size = sizeOf(tensor.dimensions)
    for (let index = 0; index < size; index++) bytes.float32(weight(tensor, index))
  }
  bytes.align(alignment)
  return bytes.whole
}

function sizeOf(dimensions: readonly number[]): number {
  return dimensions.reduce((product, dimension) => product * dimension, 1)
}

/** Bytes that grow. */
class Bytes {
  #buffer = new Uint8Array(1 << 20)
  #length = 0

  get whole(): Uint8Array {
    return this.#buffer.slice(0, this.#length)
  }

  uint8(value: number): void {
    this.#room(1).setUint8(0, value)
  }

  uint32(value: number): void {
    this.#room(4).setUint32(0, value, true)
  }

  uint64(value: number): void {
    this.#room(8).setBigUint64(0, BigInt(value), true)
  }

  float32(value: number): void {
    this.#room(4).setFloat32(0, value, true)
  }

  /** The length in bytes, and the text. */
  text(value: string): void {
    const encoded = new TextEncoder().encode(value)
    this.uint64(encoded.length)
    this.raw(encoded)
  }

  raw(value: Uint8Array): void {
    const view = this.#room(value.length)
    new Uint8Array(view.buffer, view.byteOffset, value.length).set(value)
  }

  align(to: number): void {
    this.#room((to - (this.#length % to)) % to)
  }

  #room(size: number): DataView {
    if (this.#length + size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + size))
      larger.set(this.#buffer)
      this.#buffer = larger
    }
    const view = new DataView(this.#buffer.buffer, this.#length, size)
    this.#length += size
    return view
  }
}
