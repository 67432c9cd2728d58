import { describe, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../conversation/index.ts'
import { createScriptedUpstream } from '../../../upstreams/scripted/scripted.ts'
import { type GenerationRequest, messagesOf } from '../../../upstreams/upstream.ts'
import { createGateway } from '../../gateway.ts'
import { ConfigError, parseConfig } from '../config.ts'

const tools = [{ name: 'web_search', input_schema: { type: 'object', properties: { query: { type: 'string' } } } }]

/** Asks a gateway whose rule is as given; its model writes `text`. */
async function ask(rule: JsonObject, text: string, more: JsonObject = {}) {
  const requests: GenerationRequest[] = []
  const upstream = createScriptedUpstream({
    name: 'u',
    abilities: { requests: ['messages', 'tools'] },
    play: (_, request) => {
      requests.push(request)
      return { pieces: [text] }
    },
  })
  const config = parseConfig(
    {
      secret: 'a secret of this test',
      upstreams: { u: { type: 'scripted' } },
      models: [{ match: '*', upstream: 'u', ...rule }],
    },
    { file: 'test', env: {} },
  )
  const gateway = createGateway({ config, upstreams: new Map([['u', upstream]]) })
  onTestFinished(() => gateway.close())
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'q' }], tools, ...more }
  const request = new Request('http://gateway/v1/messages', { method: 'POST', body: JSON.stringify(body) })
  const response = await gateway.fetch(request)
  const [system] = requests.flatMap(messagesOf)
  const [part] = system?.parts ?? []
  const prompt = part?.type === 'text' ? part.text : ''
  return { reply: await response.json(), notices: response.headers.get('x-anycall-notices'), prompt }
}

/** Returns the errors of a rule. */
function faults(rule: JsonObject): string[] {
  const value = { upstreams: { u: { type: 'scripted' } }, models: [{ match: '*', upstream: 'u', ...rule }] }
  try {
    parseConfig(value as unknown, { file: 'test', env: {} })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw error
  }
}

describe("a prompt of one's own", () => {
  test("stands for the dialect's, with tools and trigger in it, and other braces as they are", async () => {
    const template = 'Tools:\n{tools_list}\nSay {trigger_signal} first. body {{ color: red; }} {"name": "x"}\n'
    const { prompt } = await ask({ promptTemplate: template }, 'Hi')
    expect(prompt).toMatch(
      /^Tools:\n<function_list>\n<tool id="1">[\s\S]*<\/function_list>\nSay (<<CALL_\w+>>) first\. body \{\{ color: red; \}\} \{"name": "x"\}$/,
    )
    const [, trigger = ''] = /Say (\S+) first/.exec(prompt) ?? []
    const call = `${trigger}\n<invoke name="web_search"><parameter name="query">a</parameter></invoke>`
    const { reply } = await ask({ promptTemplate: template }, call)
    expect(reply).toMatchObject({ content: [{ type: 'tool_use', input: { query: 'a' } }], stop_reason: 'tool_use' })
  })

  test('says what restricts the choice, where it says so or at its end', async () => {
    const choice = { tool_choice: { type: 'none' } }
    const rule = '- Do not call any tool in your next reply.'
    const json = { dialect: 'tool-call-json' }
    expect((await ask({ ...json, promptTemplate: '{tools}!' }, '', choice)).prompt).toMatch(
      /<\/tools>!\n\n- Do not call/,
    )
    expect((await ask({ ...json, promptTemplate: '{rules}\n{tools}' }, '', choice)).prompt).toMatch(
      new RegExp(`^${rule}\\n<tools>[\\s\\S]*</tools>$`),
    )
  })

  test('is not filled a second time, by what a tool says', async () => {
    const named = [{ ...tools[0], description: 'Not {rules} nor {trigger_signal}.' }]
    const { prompt } = await ask({ dialect: 'hermes', promptTemplate: '{tools}' }, '', { tools: named })
    expect(prompt).toContain('Not {rules} nor {trigger_signal}.')
  })

  test.each<[rule: JsonObject, fault: RegExp]>([
    [{ promptTemplate: 'Use tools.' }, /^models\.0\.promptTemplate: expected a text that contains \{tools\}/],
    [
      { promptTemplate: '{tools}' },
      /^models\.0\.promptTemplate: expected a text that contains \{trigger_signal\}.*toolify/,
    ],
    [{ promptTemplate: '{trigger_signal}', dialect: 'hermes' }, /\{tools\}/],
    [{ reading: { fences: 'loose' } }, /^models\.0\.reading\.fences: expected one of strict, lenient/],
    [{ reading: { naturalLanguage: 'yes' } }, /^models\.0\.reading\.naturalLanguage: expected true or false/],
    [{ reading: { natural: true } }, /^models\.0\.reading\.natural: not a known key/],
  ])('is refused where it is wrong: %j', (rule, fault) => {
    expect(faults(rule)).toEqual([expect.stringMatching(fault)])
  })

  test.each<JsonObject>([
    { promptTemplate: '{tools} {trigger_signal}' },
    { promptTemplate: '{tools}', dialect: 'hermes' },
    { reading: { naturalLanguage: 'true' } },
  ])('is taken where it is right: %j', (rule) => {
    expect(faults(rule)).toEqual([])
  })
})

describe('how a rule says that replies are read', () => {
  const object = '{"query": "a"}'
  test.each<[reading: JsonObject, text: string]>([
    [{ naturalLanguage: true }, `Calling web_search with ${object}`],
    [{ naturalLanguage: true }, `{"name": "web_search", "input": ${object}}`],
    [{ looseCalls: true }, `web_search(${object})`],
    [{ fences: 'lenient' }, `\`\`\`\n<TOOL_CALL>{"name": "web_search", "input": ${object}}</TOOL_CALL>\n\`\`\``],
    [{ callsInReasoning: true }, `<think><TOOL_CALL>{"name": "web_search", "input": ${object}}</TOOL_CALL></think>ok`],
  ])('holds: %j, %j', async (reading, text) => {
    const call = { type: 'tool_use', name: 'web_search', input: { query: 'a' } }
    const dialect = 'tool-call-json'
    const read = await ask({ dialect, reading }, text)
    expect(read.reply.content).toContainEqual(expect.objectContaining(call))
    expect(read.notices).toBe(reading.naturalLanguage ? 'natural-language-call' : null)
    const usual = await ask({ dialect }, text)
    expect(usual.reply.stop_reason).toBe('end_turn')
    // The other plan reads the text beside sent calls alike; there bare JSON is a call anyway.
    const native = await ask({ plan: 'native', reading }, text)
    expect(native.reply.content).toContainEqual(expect.objectContaining(call))
  })

  test('a call in a form that is not read is told', async () => {
    const { reply, notices } = await ask({}, `<TOOL_CALL>{"name": "web_search", "input": ${object}}</TOOL_CALL>`)
    expect(reply.stop_reason).toBe('end_turn')
    expect(notices).toBe('call-like-text')
  })
})
