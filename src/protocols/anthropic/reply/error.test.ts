import { describe, expect, it } from 'vitest'
import { AnycallError, type ErrorCode } from '../../../conversation/index.ts'
import { encodeError } from './error.ts'

describe('errors', () => {
  it.each<[ErrorCode, number, string]>([
    ['invalid-request', 400, 'invalid_request_error'],
    ['context-length', 400, 'invalid_request_error'],
    ['authentication', 401, 'authentication_error'],
    ['permission', 403, 'permission_error'],
    ['not-found', 404, 'not_found_error'],
    ['method-not-allowed', 405, 'invalid_request_error'],
    ['too-large', 413, 'request_too_large'],
    ['rate-limit', 429, 'rate_limit_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['unavailable', 503, 'api_error'],
    ['timeout', 504, 'timeout_error'],
    ['upstream', 502, 'api_error'],
    ['cancelled', 499, 'api_error'],
    ['internal', 500, 'api_error'],
  ])('%s is %i %s', (kind, status, type) => {
    expect(encodeError(new AnycallError(kind, 'It failed'), 'req_1')).toEqual({
      status,
      body: { type: 'error', error: { type, message: expect.stringContaining('It failed') }, request_id: 'req_1' },
    })
  })

  it('says a full context in the words that Claude Code knows', () => {
    const error = new AnycallError('context-length', 'The model takes 8192 tokens, got 9000.')
    expect(encodeError(error, 'req_1').body).toMatchObject({
      error: {
        message: 'prompt is too long: The model takes 8192 tokens, got 9000. (capability_rejected: prompt_too_long)',
      },
    })
  })

  it('adds nothing to an error that has these words already', () => {
    const said = 'Prompt is too long: 9000 tokens > 8192 maximum (capability_rejected: prompt_too_long)'
    expect(encodeError(new AnycallError('context-length', said), 'req_1').body).toMatchObject({
      error: { message: said },
    })
    expect(encodeError(new AnycallError('invalid-request', 'x'), 'req_1').body).toMatchObject({
      error: { message: 'x' },
    })
  })

  it('says that a thread is gone in the code by which the SDK sends the conversation anew', () => {
    const error = new AnycallError('not-found', 'No threads.', { param: 'thread.previous_message_id' })
    expect(encodeError(error, 'req_1')).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } },
    })
  })
})
