import type { JsonObject } from '../../conversation/index.ts'

/**
 * Encodes a model for `GET /v1/models/{id}`.
 * @param created seconds since 1970; Anthropic's API gives the epoch if the date is not known.
 */
export function encodeModel(model: { id: string }, created = 0): JsonObject {
  return {
    type: 'model',
    id: model.id,
    display_name: model.id,
    created_at: new Date(created * 1000).toISOString(),
  }
}

/** Encodes all models for `GET /v1/models`, on one page. */
export function encodeModelList(models: readonly { id: string }[], created = 0): JsonObject {
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
