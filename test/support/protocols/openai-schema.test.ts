import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/conversation/index.ts'
import type { EventStreamBody, GatewayRequest } from '../../../src/gateway/http/http.ts'
import { echoOf } from '../../../src/protocols/openai-responses/response.ts'
import { checkedAnswers } from './checked-answers.ts'
import { type Difference, differences, type OpenAIComponent, openaiMisfits, openaiRefusals } from './openai-schema.ts'

const { members, tools } = echoOf(
  {
    tools: [{ type: 'function', name: 'f' }],
    text: { format: { type: 'json_schema', name: 'f', schema: {}, description: 'A form.' } },
  },
  true,
)
const { safety_identifier: _, ...echo } = members
const response: JsonObject = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, completed_at: null, model: 'm', status: 'failed' },
  ...{ error: { code: 'server_error', message: 'No.' }, incomplete_details: null, output: [], usage: null },
  ...echo,
  tools,
}
const list: JsonObject = { object: 'list', data: [], first_id: 'a', last_id: 'a', has_more: false }

/** An event by the schema. */
const event = (type: string, members: JsonObject): JsonObject => ({ type, sequence_number: 0, ...members })
const inItem = { item_id: 'i', output_index: 0 }
const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
const item = { id: 'i', type: 'message', role: 'assistant', status: 'completed', content: [part] }
const events = [
  event('response.failed', { response }),
  event('response.output_item.done', { output_index: 0, item }),
  event('response.content_part.added', { ...inItem, content_index: 0, part }),
  event('response.output_text.delta', { ...inItem, content_index: 0, delta: 'a', logprobs: [] }),
  event('response.function_call_arguments.delta', { ...inItem, delta: '{' }),
  event('response.reasoning_summary_text.done', { ...inItem, summary_index: 0, text: 'a' }),
  event('error', { code: null, message: 'No.', param: null }),
]

describe("OpenAI's schema", () => {
  test.each(events)('accepts an event that has all members, and none without one of them: $type', (whole) => {
    expect(openaiMisfits('event', whole)).toEqual([])
    for (const member of Object.keys(whole)) {
      const { [member]: _, ...others } = whole
      expect(openaiMisfits('event', others), member).not.toEqual([])
      expect(openaiMisfits('event', { ...whole, [member]: true }), member).not.toEqual([])
    }
  })

  test.each<[string, OpenAIComponent, JsonObject, string]>([
    ['an event of no known type', 'event', { ...events[3], type: 'response.text.delta' }, '$'],
    ['an item of no known type', 'response', { ...response, output: [{ ...item, type: 'words' }] }, '$.output.0'],
    ['an item without a member', 'response', { ...response, output: [{ ...item, content: [{}] }] }, '$.output.0'],
    ['a status of no known name', 'response', { ...response, status: 'done' }, '$.status: Expected "completed"'],
    ['an error without its type', 'error', { error: { code: null, message: 'No.', param: null } }, '$.error.type'],
  ])('refuses %s', (_what, component, value, fault) => {
    expect(openaiMisfits(component, value).join('\n')).toContain(fault)
  })

  test.each(differences)('differs: $component, $member, $value', ({ component, member, value }) => {
    expect(openaiRefusals(component, whole(component))).toEqual([])
    const different = withMember(whole(component), member, value)
    expect(openaiRefusals(component, different)).not.toEqual([])
    expect(openaiMisfits(component, different)).toEqual([])
    expect(openaiMisfits(component, withMember(whole(component), member, { another: 'value' }))).not.toEqual([])
  })
})

describe('the answers of a gateway', () => {
  const request: GatewayRequest = {
    ...{ method: 'POST', path: '/v1/responses', body: undefined },
    ...{ header: () => undefined, onGone: () => () => {} },
  }
  const text = (one: JsonObject) => `event: ${String(one.type)}\ndata: ${JSON.stringify(one)}\n\n`

  test.each<[string, number, JsonObject]>([
    ['response', 200, { ...response, output: null }],
    ['error', 400, { error: 'No.' }],
  ])('are checked: a %s', async (_what, status, body) => {
    const { handle, faults } = checkedAnswers(async () => ({ status, headers: {}, body: JSON.stringify(body) }))
    await handle(request)
    expect(faults.join()).toMatch(/^\/v1\/responses: \$/)
    const found = faults.length
    await handle({ ...request, path: '/v1/messages' })
    expect(faults).toHaveLength(found)
  })

  test.each<[string, string, RegExp]>([
    ['an event without a member', text({ ...events[4], delta: null }), /delta/],
    ['an event with the name of another', text(events[4] ?? {}).replace('event: ', 'event: x'), /not of the type x/],
    ['what is no event', 'data: [DONE]\n\n', /no event/],
  ])('are checked: %s of a stream, however it is cut', async (_what, sent, fault) => {
    for (let cut = 0; cut <= sent.length; cut += 7) {
      const chunks = [': ping\n\n', sent.slice(0, cut), sent.slice(cut)]
      const { handle, faults } = checkedAnswers(async () => ({ status: 200, headers: {}, body: streamOf(chunks) }))
      const { body } = await handle(request)
      const seen: string[] = []
      if (typeof body !== 'string') for await (const chunk of body.chunks) seen.push(chunk)
      expect(seen).toEqual(chunks)
      expect(faults.join()).toMatch(fault)
    }
  })
})

function streamOf(chunks: string[]): EventStreamBody {
  async function* sent(): AsyncGenerator<string> {
    yield* chunks
  }
  return { chunks: sent(), ping: () => '', pingMs: 1000, signal: new AbortController().signal }
}

function whole(component: Difference['component']): JsonObject {
  if (component === 'response') return response
  return component === 'event' ? event('response.failed', { response }) : list
}

function withMember(value: unknown, member: string, inner: unknown): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(value))
  const names = member.replace('#', '0').split('.')
  const last = names.pop() ?? ''
  Object.assign(Object(names.reduce<unknown>((at, name) => Object(at)[name], copy)), { [last]: inner })
  return copy
}
