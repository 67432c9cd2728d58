import type { JsonObject } from '../../conversation/index.ts'

/** A model, and its known properties. */
export interface ShownModel {
  id: string
  /** The name for people, if it is not the id. */
  name?: string
  contextLength?: number
}

/**
 * Encodes a model for `GET /v1/models/{id}`.
 * @param created seconds since 1970; Anthropic's API gives the epoch if the date is not known.
 */
export function encodeModel({ id, name = id, contextLength }: ShownModel, created = 0): JsonObject {
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    capabilities: null,
    line: null,
    max_input_tokens: contextLength ?? null,
    max_tokens: contextLength ?? null,
  }
}

/** Encodes all models for `GET /v1/models`, on one page. */
export function encodeModelList(models: readonly ShownModel[], created = 0): JsonObject {
  return {
    data: models.map((model) => encodeModel(model, created)),
    has_more: false,
    first_id: models.at(0)?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }
}

/** Encodes the answer of `POST /v1/messages/count_tokens`. */
export function encodeTokenCount(tokens: number): JsonObject {
  return { input_tokens: tokens }
}
