import type { JsonObject } from '../../conversation/index.ts'

/** A model as `GET /v1/models/{id}` gives it. Upstreams do not say when a model was made, so `created` is the epoch. */
export function encodeModel(model: { id: string }): JsonObject {
  return { id: model.id, object: 'model', created: 0, owned_by: 'anycall' }
}

/** Models as `GET /v1/models` gives them. */
export function encodeModelList(models: readonly { id: string }[]): JsonObject {
  return { object: 'list', data: models.map(encodeModel) }
}
