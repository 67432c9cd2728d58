import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ItemStatus,
  type MessageForm,
  messageItem,
  type ReasoningForm,
  reasoningPart,
  writtenCall,
  writtenCallItem,
  writtenMessage,
  writtenPart,
  writtenReasoningPart,
} from './items.ts'

const text = fc.string({ unit: 'binary' })
const status = fc.constantFrom<ItemStatus>('completed', 'incomplete')

test('the JSON of a message, made from that of its text, is that of the item', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom<MessageForm>('text', 'refusal'), status, (id, said, form, state) => {
      const written = writtenMessage(id, state, form, writtenPart(form, JSON.stringify(said)))
      expect(written).toBe(JSON.stringify(messageItem(id, state, form, said)))
    }),
  )
})

test('the JSON of a part of reasoning, made from that of its text, is that of the part', () => {
  fc.assert(
    fc.property(text, fc.constantFrom<ReasoningForm>('summary', 'content'), (said, form) => {
      expect(writtenReasoningPart(form, JSON.stringify(said))).toBe(JSON.stringify(reasoningPart(form, said)))
    }),
  )
})

test('the JSON of a call, made from that of its arguments or input, is that of the item', () => {
  const tools = fc.record(
    { kind: fc.constantFrom('function' as const, 'custom' as const), name: text, namespace: text },
    { requiredKeys: ['kind', 'name'] },
  )
  fc.assert(
    fc.property(text, text, tools, status, text, (id, callId, tool, state, said) => {
      const call = { id, callId, tool }
      expect(writtenCall(call, state, JSON.stringify(said))).toBe(JSON.stringify(writtenCallItem(call, state, said)))
    }),
  )
})
