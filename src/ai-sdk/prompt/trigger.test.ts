import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { triggerOfPrompt } from './trigger.ts'

const beginning: LanguageModelV3Prompt = [
  { role: 'system', content: 'S' },
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
]
const later: LanguageModelV3Prompt = [
  ...beginning,
  { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  { role: 'user', content: [{ type: 'text', text: 'More' }] },
]
const other: LanguageModelV3Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Ho' }] }]
const tools = [{ name: 'look', description: '', schema: {} }]

describe('triggers', () => {
  it('stay the same throughout a conversation and over processes', async () => {
    const trigger = await triggerOfPrompt(beginning, tools)
    expect(trigger).toMatch(/^<<CALL_[0-9a-f]{12}>>$/)
    expect(await triggerOfPrompt(later, tools)).toBe(trigger)
  })

  it.each([
    ['another conversation', triggerOfPrompt(other, tools)],
    ['other tools', triggerOfPrompt(beginning, [])],
    ['a secret', triggerOfPrompt(beginning, tools, 'a secret')],
  ])('differ with %s', async (_, trigger) => {
    expect(await trigger).not.toBe(await triggerOfPrompt(beginning, tools))
  })
})
