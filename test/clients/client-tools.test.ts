import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { playedModel } from './played-model.ts'
import { settings } from './settings.ts'

const tools: Anthropic.Beta.BetaToolUnion[] = [
  { type: 'bash_20250124', name: 'bash' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 1000 },
  { type: 'memory_20250818', name: 'memory' },
]
const made = [
  { name: 'bash', input: { command: 'ls -l "a b"' } },
  { name: 'str_replace_based_edit_tool', input: { command: 'view', path: '/a.txt', view_range: [1, -1] } },
  { name: 'memory', input: { command: 'rename', old_path: '/memories/a', new_path: '/memories/b' } },
]

describe.each(settings)('tools that Anthropic defines, by $name', (setting) => {
  test('are described, and called with what they take', async () => {
    const { upstream, prompts } = playedModel(setting, (calls) => calls(...made))
    const gateway = await gatewayForTest({ upstream, ...setting.rule })
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 })
    const { data, response } = await client.beta.messages
      .create({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Go on.' }], tools })
      .withResponse()
    const calls = data.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(made)
    expect(data.stop_reason).toBe('tool_use')
    expect(response.headers.get('x-anycall-notices')).toBeNull()
    expect(prompts()[0]).toContain('old_path')
  })
})
