import type { JsonObject } from '../../conversation/index.ts'

/** A model, and its known properties. */
export interface KnownModel {
  id: string
  contextLength?: number
  /** False for a model that refused images. */
  seesImages?: boolean
}

/** The version of Ollama whose API this is. Clients refuse older ones: Codex before 0.13.4. */
const version = '0.33.3'

/** Encodes the answer of `GET /api/version`. */
export function encodeVersion(): JsonObject {
  return { version }
}

/** Files of models are the upstream's: of their size and date nothing is known here. */
const unknownDate = new Date(0).toISOString()

const details = {
  parent_model: '',
  format: 'gguf',
  family: 'anycall',
  families: ['anycall'],
  parameter_size: '',
  quantization_level: '',
}

/** Encodes the answer of `GET /api/tags`. */
export async function encodeTags(models: readonly KnownModel[]): Promise<JsonObject> {
  return { models: await Promise.all(models.map(encodeTag)) }
}

async function encodeTag({ id }: KnownModel): Promise<JsonObject> {
  return { name: id, model: id, modified_at: unknownDate, size: 0, digest: await digestOf(id), details }
}

/** Clients show the first letters of a digest to distinguish models. */
async function digestOf(id: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Encodes the answer of `GET /api/ps`: no model is loaded here. */
export function encodeRunning(): JsonObject {
  return { models: [] }
}

/** Encodes the answer of `POST /api/show`. Every model has tool calling through the gateway. */
export function encodeShow({ id, contextLength, seesImages = true }: KnownModel): JsonObject {
  return {
    license: '',
    modelfile: `FROM ${id}\n`,
    parameters: contextLength === undefined ? '' : `num_ctx ${contextLength}`,
    template: '{{ .Prompt }}',
    details,
    model_info: {
      'general.architecture': 'anycall',
      'general.basename': id,
      ...(contextLength !== undefined && { 'anycall.context_length': contextLength }),
    },
    capabilities: ['completion', 'tools', 'thinking', ...(seesImages ? ['vision'] : [])],
    modified_at: unknownDate,
  }
}

/** Encodes the answer to a request that only has a model loaded, or unloaded. */
export function encodeLoaded(model: string, created: number, said: JsonObject, isUnload: boolean): JsonObject {
  const createdAt = new Date(created * 1000).toISOString()
  return { model, created_at: createdAt, ...said, done: true, done_reason: isUnload ? 'unload' : 'load' }
}

/** Encodes the answer of `POST /api/pull` for a model that can be requested. */
export function encodePulled(): JsonObject {
  return { status: 'success' }
}
