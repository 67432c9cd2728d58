import { expect, test } from 'vitest'
import { conversation } from '../../../test/support/gateway/plans.ts'
import type { AssistantPart, Turn } from '../../conversation/index.ts'
import { conversationOf, type PlanRequest } from './plan.ts'

const said: AssistantPart = { type: 'text', text: 'Hello' }
const thought: AssistantPart = { type: 'reasoning', text: 'Hm.' }

test.each<[what: string, parts: AssistantPart[], left: AssistantPart[] | undefined]>([
  ['text', [said], [said]],
  ['reasoning and text', [thought, said], [said]],
  ['nothing but reasoning', [thought], undefined],
  ['nothing, as its reasoning was left out before', [], undefined],
])('a turn of %s, without earlier reasoning', (_, parts, left) => {
  const asked: Turn = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  const request = { conversation: conversation({ turns: [asked, { role: 'assistant', parts }] }), reasoning: 'drop' }
  const { turns } = conversationOf(request as PlanRequest)
  expect(turns).toEqual(left ? [asked, { role: 'assistant', parts: left }] : [asked])
})
