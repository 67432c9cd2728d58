import type { FinishReason, JsonObject, Tool } from '../../../src/conversation/index.ts'
import type { ReadOptions } from '../../../src/dialects/index.ts'

/** The dialects that cases name: a misspelt one is an error of types. */
export type DialectName =
  | 'hermes'
  | 'qwen3-coder'
  | 'glm'
  | 'kimi-k2'
  | 'kimi-k3'
  | 'deepseek-v3'
  | 'deepseek-v3.1'
  | 'dsml'
  | 'mistral'
  | 'llama-json'
  | 'pythonic'
  | 'olmo3'
  | 'lfm2'
  | 'gemma4'
  | 'functiongemma'
  | 'harmony'
  | 'functionary-v3.1'
  | 'functionary-v3.2'
  | 'minimax-m2'
  | 'minimax-m3'
  | 'minimax-m1'
  | 'minicpm5'
  | 'seed-oss'
  | 'step3'
  | 'cohere'
  | 'command-r-plus'
  | 'command4'
  | 'granite'
  | 'phi4'
  | 'internlm'
  | 'apertus'
  | 'nemotron-nano'
  | 'jamba'
  | 'apriel'
  | 'longcat'
  | 'gigachat3'
  | 'inkling'
  | 'xlam'
  | 'solar-open'
  | 'solar-open2'
  | 'hunyuan'
  | 'muse-glimmer'
  | 'iquest'
  | 'dsml-spaced'
  | 'step-audio-2'
  | 'hyperclova'
  | 'openpangu'
  | 'plamo3'
  | 'k2-horizon'
  | 'rwkv'
  | 'tool-call-json'
  | 'universal'

/** One stretch of a reply. Texts are compared trimmed: white space beside a marker is the format's. */
export type Part =
  | string
  | { think: string }
  | { call: string; arguments: JsonObject }
  | { call: string; begun: string }

export interface AcceptanceCase {
  /** `AC08` or `P08` of the catalogue; followed by a letter if an entry has several inputs. */
  id: string
  title: string
  /** The public issue whose symptom this is. */
  source: string
  dialect: DialectName
  /** The model's text; with `chunks` in the pieces of the issue. */
  text: string | readonly string[]
  tools: readonly Tool[]
  /** The reply in order. `begun` is the JSON of a call that breaks off. */
  reply: readonly Part[]
  /** The reply that a reader with delivery `whole` may return if a call breaks off: its text is text. */
  whole?: readonly Part[]
  /** Other replies that are as right. */
  accept?: readonly (readonly Part[])[]
  /** Replies that are also correct if the reader is not given the dialect. */
  acceptUniversal?: readonly (readonly Part[])[]
  /** The codes of the notices, each once, sorted; not compared if absent. */
  notices?: readonly string[]
  /** The names of refused tools as the report gives them. */
  rejected?: readonly string[]
  end?: FinishReason
  options?: Partial<Omit<ReadOptions, 'tools' | 'dialect' | 'delivery'>>
  /**
   * The reason why only the named dialect's reader can read the text correctly; the universal reader is then not
   * tested.
   */
  onlyNamed?: string
}

export function call(name: string, args: JsonObject = {}): Part {
  return { call: name, arguments: args }
}

/** A tool whose properties have the types or schemas given; the keys marked with `!` are required. */
export function tool(name: string, properties: Readonly<Record<string, string | JsonObject>> = {}): Tool {
  const keys = Object.keys(properties)
  const schemas = keys.map((key): [string, JsonObject] => {
    const schema = properties[key] ?? {}
    return [key.replace('!', ''), typeof schema === 'string' ? { type: schema } : schema]
  })
  const required = keys.filter((key) => key.endsWith('!')).map((key) => key.slice(0, -1))
  return { name, description: '', schema: { type: 'object', properties: Object.fromEntries(schemas), required } }
}
