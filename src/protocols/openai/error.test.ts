import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { AnycallError, type ErrorCode, type ErrorDetail } from '../../conversation/index.ts'
import { encodeError } from './error.ts'

describe('encodeError', () => {
  it.each<[ErrorCode, ErrorDetail, number, string, string | null]>([
    ['invalid-request', { param: 'messages[0].role' }, 400, 'invalid_request_error', null],
    ['context-length', { param: 'messages' }, 400, 'invalid_request_error', 'context_length_exceeded'],
    ['authentication', {}, 401, 'invalid_request_error', 'invalid_api_key'],
    ['permission', {}, 403, 'invalid_request_error', null],
    ['not-found', {}, 404, 'invalid_request_error', null],
    ['not-found', { param: 'model' }, 404, 'invalid_request_error', 'model_not_found'],
    ['not-found', { param: 'previous_response_id' }, 400, 'invalid_request_error', 'previous_response_not_found'],
    ['invalid-request', { param: 'previous_response_id' }, 400, 'invalid_request_error', null],
    ['not-found', { param: 'conversation' }, 404, 'invalid_request_error', null],
    ['method-not-allowed', {}, 405, 'invalid_request_error', 'method_not_supported'],
    ['too-large', {}, 413, 'invalid_request_error', null],
    ['rate-limit', { retryAfter: 3 }, 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['overloaded', {}, 503, 'server_error', null],
    ['unavailable', {}, 503, 'server_error', null],
    ['timeout', {}, 504, 'server_error', null],
    ['upstream', {}, 502, 'server_error', null],
    ['cancelled', {}, 499, 'invalid_request_error', null],
    ['internal', { cause: new Error('secret') }, 500, 'server_error', null],
  ])('gives %s %j as %i', (kind, detail, status, type, code) => {
    expect(encodeError(new AnycallError(kind, 'What is wrong.', detail))).toEqual({
      status,
      body: { error: { message: 'What is wrong.', type, param: detail.param ?? null, code } },
    })
  })

  it('is read by the openai package, with its message, code and param', async () => {
    const { status, body } = encodeError(new AnycallError('not-found', 'No model "x".', { param: 'model' }))
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: async () => Response.json(body, { status }) })
    const error: unknown = await client.models.retrieve('x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' })
    expect(String(error)).toContain('No model "x".')
  })
})
