import type { JsonObject } from '../../conversation/index.ts'

/** Encodes a model for `GET /v1/models/{id}`. Upstreams do not report a model's date, so `created` is the epoch. */
export function encodeModel(model: { id: string }): JsonObject {
  return { id: model.id, object: 'model', created: 0, owned_by: 'anycall' }
}

/** Encodes models for `GET /v1/models`. */
export function encodeModelList(models: readonly { id: string }[]): JsonObject {
  return { object: 'list', data: models.map(encodeModel) }
}
