import type { JsonObject } from '../../conversation/index.ts'

/** A model, and its known properties. */
export interface KnownModel {
  id: string
  contextLength?: number
}

const methods = ['generateContent', 'streamGenerateContent', 'countTokens']

/** Encodes a model for `GET /v1beta/models/{id}`. */
export function encodeModel({ id, contextLength }: KnownModel): JsonObject {
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    ...(contextLength !== undefined && { inputTokenLimit: contextLength, outputTokenLimit: contextLength }),
    supportedGenerationMethods: methods,
    thinking: true,
  }
}

/** Encodes all models for `GET /v1beta/models`, on one page. */
export function encodeModelList(models: readonly KnownModel[]): JsonObject {
  return { models: models.map(encodeModel) }
}

/** Encodes the answer of `countTokens`. */
export function encodeTokenCount(tokens: number): JsonObject {
  return { totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }
}
