import { describe, expect, it } from 'vitest'
import { TransportError } from '../transport/transport-error.ts'
import { type ErrorSource, named, statusError, streamError, UpstreamError } from './upstream-error.ts'

const source: ErrorSource = { upstream: 'local', secrets: ['sk-secret-1'] }
const openai = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } })

describe('statusError', () => {
  it.each([
    [400, 'invalid-request', false],
    [401, 'authentication', false],
    [403, 'permission', false],
    [404, 'not-found', false],
    [408, 'timeout', true],
    [409, 'upstream', true],
    [413, 'too-large', false],
    [418, 'invalid-request', false],
    [422, 'invalid-request', false],
    [429, 'rate-limit', true],
    [500, 'upstream', true],
    [501, 'upstream', false],
    [502, 'upstream', true],
    [503, 'overloaded', true],
    [504, 'timeout', true],
    [529, 'overloaded', true],
    [301, 'upstream', false],
  ])('%i is %s', (status, kind, retryable) => {
    const error = statusError(source, status, openai('it is so'), 7)
    expect(error).toMatchObject({ code: kind, retryable, retryAfter: 7 })
    expect(error.message).toContain(`Upstream "local" answered ${status}`)
    expect(error.message).toContain('it is so')
  })

  it.each([
    ["model 'qwen' not found", 'not-found'],
    ['Model "qwen:7b" was not found', 'not-found'],
    ["model 'qwen' is not loaded", 'invalid-request'],
    ['the image of the model was not found', 'invalid-request'],
  ])('400 with %s is %s', (text, kind) => {
    expect(statusError(source, 400, openai(text))).toMatchObject({ code: kind, status: 400, retryable: false })
  })

  it.each([
    [401, /Check the key of upstream "local"/],
    [404, /pull or load the model/],
    [503, /try again later/],
  ])('%i says what to do', (status, advice) => {
    expect(statusError(source, status, '').message).toMatch(advice)
  })

  it('begins with what Claude Code recognises when the prompt is too long, and still names the upstream', () => {
    const body = openai('request (34965 tokens) exceeds the available context size (32768 tokens), try increasing it')
    const error = statusError(source, 400, body)
    expect(error).toMatchObject({ code: 'context-length', retryable: false })
    expect(error.message).toMatch(/^prompt is too long: 34965 tokens > 32768 maximum .*upstream "local"/)
  })

  it('finds the numbers in JSON within JSON, as Ollama passes it on from its engine', () => {
    const inner = JSON.stringify({ error: { message: 'too much', n_prompt_tokens: 50, n_ctx: 40 } })
    expect(statusError(source, 400, JSON.stringify({ error: inner })).message).toMatch(
      /^prompt is too long: 50 tokens > 40 maximum/,
    )
  })

  it('does not take a rate limit that speaks of length for a context that is too long', () => {
    expect(statusError(source, 429, openai('please reduce the length of the messages')).code).toBe('rate-limit')
  })

  it('does not repeat what an empty account refuses', () => {
    const error = statusError(source, 429, openai('You exceeded your current quota', { code: 'insufficient_quota' }))
    expect(error).toMatchObject({ code: 'rate-limit', retryable: false })
  })

  it.each([
    ['image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', false],
    ['tools param requires --jinja flag', false],
    ['Failed to parse grammar', false],
    ['llama runner process has terminated: exit status 2', true],
    ['', true],
  ])('with 500: %j is repeated: %s', (text, retryable) => {
    expect(statusError(source, 500, openai(text))).toMatchObject({ code: 'upstream', retryable })
  })

  it('shows no keys', () => {
    const { message } = statusError(source, 401, openai('Incorrect API key: sk-secret-1, that is sk-secret-1.'))
    expect(message).not.toContain('sk-secret-1')
    expect(message).toContain('Incorrect API key: [key]')
  })

  it('shows 500 characters at most, and no part of a key at their end', () => {
    const { message } = statusError(source, 500, `${'a'.repeat(495)}sk-secret-1${'b'.repeat(5000)}`)
    expect(message.length).toBeLessThan(700)
    expect(message).not.toContain('sk-s')
  })
})

describe('streamError', () => {
  it.each([
    [{ error: { message: 'm', code: 503 } }, 'overloaded'],
    [{ error: { message: 'm', code: '429' } }, 'rate-limit'],
    [{ error: { message: 'm', type: 'rate_limit_error' } }, 'rate-limit'],
    [{ error: { message: 'm', code: 'invalid_api_key', type: 'server_error' } }, 'authentication'],
    [{ object: 'error', message: 'm', code: 404 }, 'not-found'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'm' } }, 'overloaded'],
    [{ type: 'error', error: { type: 'invalid_request_error', message: 'm' } }, 'invalid-request'],
    [{ type: 'error', error: { type: 'request_too_large', message: 'm' } }, 'too-large'],
    [{ type: 'error', error: { type: 'timeout_error', message: 'm' } }, 'timeout'],
    [{ type: 'error', error: { type: 'api_error', message: 'm' } }, 'upstream'],
    [
      { error: { message: 'request (9 tokens) exceeds the available context size (8 tokens)', code: 400 } },
      'context-length',
    ],
    [{ error: { message: 'm', code: null, type: 'BadThing' } }, 'upstream'],
    [{ error: 'm' }, 'upstream'],
    ['m', 'upstream'],
  ])('%j is %s', (payload, kind) => {
    expect(streamError(source, payload, JSON.stringify(payload))).toMatchObject({
      code: kind,
      message: expect.stringContaining('m'),
    })
  })
})

describe('named', () => {
  it('puts the upstream before an error of the transport', () => {
    const error = named(source, new TransportError('refused', 'http://user:pass@127.0.0.1:1/v1?key=abc'))
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ code: 'upstream', retryable: true })
    const { message } = error as UpstreamError
    expect(message).toMatch(/^Upstream "local": nothing listens at http:\/\/127\.0\.0\.1:1\/v1 .*Start it/)
    expect(message).not.toMatch(/pass|abc/)
  })

  it('leaves other errors alone', () => {
    const error = new Error('other')
    expect(named(source, error)).toBe(error)
  })
})
