import { expect, test } from 'vitest'
import { openaiMisfits } from '../../../../test/support/protocols/openai-schema.ts'
import type { JsonObject } from '../../../conversation/index.ts'
import { encodeInputItems } from './input-list.ts'

const call = { call_id: 'call_1' }

test.each<JsonObject>([
  { role: 'user', content: 'Hi' },
  { role: 'developer', content: 'Hi' },
  { role: 'assistant', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
  { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] },
  { role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'x' }] },
  { ...call, type: 'function_call', name: 'f', arguments: '{}' },
  { ...call, type: 'function_call_output', output: 'x' },
  { ...call, type: 'function_call_output', output: [{ type: 'input_text', text: 'x' }] },
  { ...call, type: 'custom_tool_call', name: 'f', input: 'x' },
  { ...call, type: 'custom_tool_call_output', output: 'x' },
  { ...call, type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
  { ...call, type: 'local_shell_call_output', output: 'x' },
  { ...call, type: 'shell_call', action: { commands: ['ls'] } },
  {
    ...call,
    type: 'shell_call_output',
    output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  { ...call, type: 'apply_patch_call', operation: { type: 'create_file', path: 'a', diff: '+a' } },
  { ...call, type: 'apply_patch_call_output', output: 'x' },
  { ...call, type: 'tool_search_call', arguments: {}, execution: 'client' },
  { ...call, type: 'tool_search_output', tools: [], execution: 'client' },
  { type: 'reasoning', summary: [] },
  { type: 'compaction', encrypted_content: 'x' },
])('an item in the shortest form that a client may send is listed with all members: %j', (item) => {
  const list = encodeInputItems([item], {})
  expect([...openaiMisfits('inputItems', list), ...openaiMisfits('conversationItems', list)]).toEqual([])
  expect(list.data).toMatchObject([item.content === 'Hi' ? { role: item.role, content: [{ text: 'Hi' }] } : item])
})

test('the members that a client sent are listed as they came', () => {
  const sent: JsonObject[] = [
    { ...call, id: 'fc_1', type: 'function_call', name: 'f', arguments: '{}', status: 'incomplete' },
    { id: 'msg_1', type: 'message', role: 'user', status: 'completed', content: [image('low')] },
    { ...call, id: 'sh_1', type: 'shell_call_output', status: 'completed', max_output_length: 9, output: [] },
  ]
  expect(encodeInputItems(sent, { order: 'asc' }).data).toEqual(sent)
})

test.each(['asc', 'desc'])('the pages of a list have each item once, though ids repeat; order: %s', (order) => {
  const ids = ['a', 'a', undefined, 'item_2', 'a_2', 'a', undefined, '', 'item_6_2', 'item_6']
  const items = ids.map((id, index) => ({ ...(id !== undefined && { id }), role: 'user', content: `${index}` }))
  const listed: JsonObject[] = []
  for (let after: string | undefined; ; ) {
    const { data, has_more, last_id } = encodeInputItems(items, { order, limit: '1', after })
    listed.push(...(data as JsonObject[]))
    after = String(last_id)
    if (has_more !== true || listed.length > items.length) break
  }
  const texts = listed.map(({ content }) => Object((content as JsonObject[])[0]).text)
  const expected = ids.map((_, index) => `${index}`)
  expect(texts).toEqual(order === 'asc' ? expected : expected.reverse())
  expect(new Set(listed.map(({ id }) => id)).size).toBe(items.length)
  const whole = encodeInputItems(items, { order: 'asc' }).data as JsonObject[]
  expect([0, 3, 4, 8, 9].map((index) => whole[index]?.id)).toEqual(['a', 'item_2', 'a_2', 'item_6_2', 'item_6'])
})

test('a list without items has neither first nor last', () => {
  const list = encodeInputItems([], {})
  expect(list).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false })
  expect(openaiMisfits('inputItems', list)).toEqual([])
})

function image(detail: string): JsonObject {
  return { type: 'input_image', image_url: 'https://example.org/a.png', detail }
}
