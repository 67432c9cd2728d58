import { describe, expect, test } from 'vitest'
import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import { type ChatTemplate, safeLoadTemplate } from '../../templates/index.ts'
import { statusError } from '../../upstreams/http/upstream-error.ts'
import { createScriptedUpstream, type Piece, type Playback } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, GenerationRequest, Log, Upstream } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'

const chat: Abilities = { requests: ['messages', 'tools'] }

interface Setting {
  upstreams: Record<string, { play: Playback; abilities?: Abilities; more?: Partial<Upstream> }>
  rule: JsonObject
  templates?: ReadonlyMap<string, ChatTemplate>
}

/** A gateway with scripted upstreams, and the requests to each. */
function start({ upstreams, rule, templates = new Map() }: Setting) {
  const asked: [upstream: string, request: GenerationRequest][] = []
  const log: Parameters<Log>[] = []
  const made = Object.entries(upstreams).map(([name, { play, abilities = chat, more = {} }]): [string, Upstream] => {
    const upstream = createScriptedUpstream({
      name,
      abilities,
      play: (index, request) => {
        asked.push([name, request])
        return typeof play === 'function' ? play(index, request) : play[Math.min(index, play.length - 1)]
      },
    })
    return [name, { ...upstream, ...more }]
  })
  const config = parseConfig(
    {
      upstreams: Object.fromEntries(Object.keys(upstreams).map((name) => [name, { type: 'scripted' }])),
      models: [{ match: '*', ...rule }],
    } as unknown,
    { file: 'test', env: {} },
  )
  const gateway = createGateway({
    config,
    upstreams: new Map(made),
    templates,
    log: (...line) => void log.push(line),
  })
  const fetch = (path: string, body: JsonObject): Promise<Response> =>
    gateway.fetch(new Request(`http://gateway${path}`, { method: 'POST', body: JSON.stringify(body) }))
  async function post(path: string, body: JsonObject): Promise<JsonObject & { status: number }> {
    const response = await fetch(path, body)
    return { status: response.status, ...(await response.json()) }
  }
  const stream = async (path: string, body: JsonObject): Promise<string> =>
    (await fetch(path, { ...body, stream: true })).text()
  /** A client that reads the first bytes, and disconnects. */
  async function leave(path: string, body: JsonObject): Promise<void> {
    const reader = (await fetch(path, { ...body, stream: true })).body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  return { asked: () => asked.map(([name, { type }]) => `${name}: ${type}`), post, stream, leave, log }
}

const weather = {
  name: 'get_weather',
  description: '',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const question = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Weather in Paris?' }] }
const request = { ...question, tools: [weather] }
const call: Piece = { type: 'call', index: 0, id: 'call_1', name: 'get_weather', arguments: '{"city": "Paris"}' }
const written = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
const source = { upstream: 'test', secrets: [] }
const refusal = {
  pieces: [],
  fault: { type: 'status' as const, error: statusError(source, 400, 'm does not support tools') },
}
const down = {
  pieces: [],
  fault: { type: 'status' as const, error: new AnycallError('upstream', 'nothing listens there') },
}

const use = (id: string | RegExp) => ({
  status: 200,
  stop_reason: 'tool_use',
  content: [
    {
      type: 'tool_use',
      id: typeof id === 'string' ? id : expect.stringMatching(id),
      name: 'get_weather',
      input: { city: 'Paris' },
    },
  ],
})

describe('a native upstream', () => {
  test('is given the tools, and its calls go out with its ids', async () => {
    const { post, asked } = start({
      upstreams: { a: { play: [{ pieces: [call] }] } },
      rule: { upstream: 'a', plan: 'native' },
    })
    expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
    expect(asked()).toEqual(['a: tools'])
  })

  test('that refuses tools is prompted, and remembered', async () => {
    const play: Playback = (_, { type }) => (type === 'tools' ? refusal : { pieces: [written] })
    const { post, asked, log } = start({
      upstreams: { a: { play } },
      rule: { upstream: 'a', plan: 'native' },
    })
    // The default dialect reads its own calls alone: the text is enough to see who was asked, and how.
    expect((await post('/v1/messages', request)).status).toBe(200)
    expect((await post('/v1/messages', request)).status).toBe(200)
    expect(asked()).toEqual(['a: tools', 'a: messages', 'a: messages'])
    expect(log.filter(([, event]) => event === 'tools-refused')).toHaveLength(1)
  })

  test('that refuses one way to choose is asked for less, and keeps its tools', async () => {
    const says = "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    const fault = { type: 'status' as const, error: statusError(source, 400, says) }
    const play: Playback = (_, asked) =>
      asked.type === 'tools' && asked.conversation.toolChoice.type === 'named'
        ? { pieces: [], fault }
        : { pieces: [call] }
    const { post, asked } = start({ upstreams: { a: { play } }, rule: { upstream: 'a', plan: 'native' } })
    const named = { ...request, tool_choice: { type: 'tool', name: 'get_weather' } }
    expect(await post('/v1/messages', named)).toMatchObject(use('call_1'))
    expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
    expect(asked()).toEqual(['a: tools', 'a: tools', 'a: tools'])
  })

  test('that fails otherwise is not', async () => {
    const { post, asked } = start({ upstreams: { a: { play: [down] } }, rule: { upstream: 'a', plan: 'native' } })
    expect(await post('/v1/messages', request)).toMatchObject({ status: 502, error: { type: 'api_error' } })
    expect(asked()).toEqual(['a: tools'])
  })
})

describe('auto', () => {
  test('asks once for a call, then serves by what came', async () => {
    const ready: Piece = { ...call, name: 'report_status', arguments: '{"status": "ready"}' }
    const play: Playback = (index) => ({ pieces: [index === 0 ? ready : call] })
    const { post, asked, log } = start({ upstreams: { a: { play } }, rule: { upstream: 'a' } })
    expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
    expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
    expect(asked()).toEqual(['a: tools', 'a: tools', 'a: tools'])
    expect(log.filter(([, event]) => event === 'plan-chosen')).toHaveLength(1)
    expect(log.find(([, event]) => event === 'request')?.[2]).toMatchObject({ upstream: 'a', plan: 'native' })
  })

  test('asks nothing for a conversation without tools', async () => {
    const { post, asked } = start({ upstreams: { a: { play: [{ pieces: ['Rain.'] }] } }, rule: { upstream: 'a' } })
    expect(await post('/v1/messages', question)).toMatchObject({ content: [{ type: 'text', text: 'Rain.' }] })
    expect(asked()).toEqual(['a: messages'])
  })

  test('a rule with a dialect is prompted', async () => {
    const { post, asked } = start({
      upstreams: { a: { play: [{ pieces: [written] }] } },
      rule: { upstream: 'a', dialect: 'hermes' },
    })
    expect(await post('/v1/messages', request)).toMatchObject(use(/^toolu_/))
    expect(asked()).toEqual(['a: messages'])
  })
})

describe('templated', () => {
  const loaded = safeLoadTemplate(
    `{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}{% for call in m.tool_calls or [] %}<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</tool_call>{% endfor %}<|end|>{% endfor %}{{ tools | tojson if tools }}{% if add_generation_prompt %}<|assistant|>{% endif %}`,
  )
  if (loaded.type !== 'template') throw new Error(loaded.message)
  const engine: Abilities = { requests: ['prompt'], constraint: 'gbnf' }
  const play = [{ pieces: [written.replaceAll('\n', '')] }]

  test('the rule’s template', async () => {
    const { post, asked } = start({
      upstreams: { a: { play, abilities: engine } },
      rule: { upstream: 'a', template: 'm.jinja' },
      templates: new Map([['m.jinja', loaded.template]]),
    })
    expect(await post('/v1/messages', request)).toMatchObject(use(/^toolu_/))
    expect(asked()).toEqual(['a: prompt'])
  })

  test('the upstream’s template, and its count of tokens', async () => {
    const more: Partial<Upstream> = { template: async () => loaded.template, countTokens: async (text) => text.length }
    const { post } = start({ upstreams: { a: { play, abilities: engine, more } }, rule: { upstream: 'a' } })
    expect(await post('/v1/messages', request)).toMatchObject(use(/^toolu_/))
    const { input_tokens: counted } = await post('/v1/messages/count_tokens', question)
    expect(counted).toBe('<|user|>Weather in Paris?<|end|><|assistant|>'.length)
  })

  test('a picture goes where it is seen', async () => {
    const abilities: Abilities = { requests: ['prompt', 'messages'], constraint: 'gbnf' }
    const more: Partial<Upstream> = { template: async () => loaded.template }
    const { post, asked } = start({ upstreams: { a: { play, abilities, more } }, rule: { upstream: 'a' } })
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    const content = [
      { type: 'image', source },
      { type: 'text', text: 'Weather here?' },
    ]
    await post('/v1/messages', request)
    await post('/v1/messages', { ...request, messages: [{ role: 'user', content }] })
    expect(asked()).toEqual(['a: prompt', 'a: messages'])
  })

  test('no template at all is an error that says what to do', async () => {
    const { post } = start({
      upstreams: { a: { play, abilities: engine } },
      rule: { upstream: 'a', plan: 'templated' },
    })
    expect(await post('/v1/messages', request)).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining("Name its file in the model's rule (template: FILE)") },
    })
  })

  const chatSecond = {
    upstreams: {
      a: { play: [down], abilities: engine, more: { template: async () => loaded.template } },
      b: { play: [{ pieces: [written] }] },
    },
    rule: { upstream: ['a', 'b'], plan: 'templated', dialect: 'hermes' },
  }

  test('an upstream after the first that takes no prompts is prompted, and that is told', async () => {
    const { post, asked, log } = start(chatSecond)
    expect(await post('/v1/messages', request)).toMatchObject(use(/^toolu_/))
    expect(asked()).toEqual(['a: prompt', 'b: messages'])
    expect(log.find(([, event]) => event === 'request')?.[2]).toMatchObject({ upstream: 'b', plan: 'prompted' })
    expect(log.filter(([, event]) => event === 'notice').map(([, , fields]) => fields)).toMatchObject([
      {
        code: 'plan-unsupported',
        message: 'Upstream "b" does not accept prompts, which plan templated needs. It was served by plan prompted.',
      },
    ])
  })

  test('a rule whose upstreams all take no prompts does not start', () => {
    expect(() => start({ ...chatSecond, rule: { upstream: 'b', plan: 'templated' } })).toThrow(
      'The rule for * has a plan that nobody can serve. Upstream "b" does not accept prompts, which plan templated needs. Use another plan (auto, native, prompted), or another type of upstream.',
    )
  })

  test('a rule whose template was not loaded does not start', () => {
    const setting = { upstreams: { a: { play } }, rule: { upstream: 'a', template: 'm.jinja' } }
    expect(() => start(setting)).toThrow('The rule for * names the template "m.jinja"')
  })
})

describe('several upstreams', () => {
  const rule = { upstream: ['a', { name: 'b', model: 'other' }], plan: 'native' }

  test('the next serves when the first is down, by its own name for the model', async () => {
    const models: string[] = []
    const play: Playback = (_, { model }) => {
      models.push(model)
      return { pieces: [call] }
    }
    const { post, asked, log } = start({ upstreams: { a: { play: [down] }, b: { play } }, rule })
    expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
    expect(asked()).toEqual(['a: tools', 'b: tools'])
    expect(models).toEqual(['other'])
    expect(log.find(([, event]) => event === 'fail-over')?.[2]).toMatchObject({ from: 'a', to: 'b' })
    expect(log.find(([, event]) => event === 'request')?.[2]).toMatchObject({ upstream: 'b' })
  })

  test('one that fails again and again is not asked for a while', async () => {
    const { post, asked } = start({ upstreams: { a: { play: [down] }, b: { play: [{ pieces: [call] }] } }, rule })
    for (let n = 0; n < 4; n++) await post('/v1/messages', request)
    expect(asked()).toEqual(['a: tools', 'b: tools', 'a: tools', 'b: tools', 'a: tools', 'b: tools', 'b: tools'])
  })

  test('a count of tokens says nothing of an upstream that fails again and again', async () => {
    const { post, asked } = start({ upstreams: { a: { play: [down] }, b: { play: [{ pieces: [call] }] } }, rule })
    for (let n = 0; n < 5; n++) {
      expect(await post('/v1/messages/count_tokens', request)).toMatchObject({ status: 200 })
      await post('/v1/messages', request)
    }
    expect(asked().filter((one) => one === 'a: tools')).toHaveLength(3)
  })

  test('what is wrong with the request is told at once', async () => {
    const fault = { type: 'status' as const, error: statusError(source, 400, 'max_tokens is too large') }
    const { post, asked } = start({
      upstreams: { a: { play: [{ pieces: [], fault }] }, b: { play: [{ pieces: [call] }] } },
      rule,
    })
    expect(await post('/v1/messages', request)).toMatchObject({ status: 400 })
    expect(asked()).toEqual(['a: tools'])
  })

  describe('one that cuts its replies in the middle', () => {
    const cut = { pieces: ['Well, '], fault: { type: 'cut' as const, afterPieces: 1 } }
    const setting = { upstreams: { a: { play: [cut] }, b: { play: [{ pieces: [call] }] } }, rule }

    test('is followed by the next where nothing was sent yet', async () => {
      const { post, asked, log } = start(setting)
      expect(await post('/v1/messages', request)).toMatchObject(use('call_1'))
      expect(asked()).toEqual(['a: tools', 'b: tools'])
      expect(log.find(([, event]) => event === 'request')?.[2]).toMatchObject({ upstream: 'b', status: 200 })
    })

    test('has its streamed reply for itself, and is left alone after a while', async () => {
      const { stream, asked } = start(setting)
      for (let n = 0; n < 3; n++) expect(await stream('/v1/messages', request)).toContain('event: error')
      expect(await stream('/v1/messages', request)).toContain('call_1')
      expect(asked()).toEqual(['a: tools', 'a: tools', 'a: tools', 'b: tools'])
    })

    test('is told as it is where there is no other', async () => {
      const { post, asked } = start({ upstreams: { a: { play: [cut] } }, rule: { upstream: 'a', plan: 'native' } })
      expect(await post('/v1/messages', request)).toMatchObject({ status: 502 })
      expect(asked()).toEqual(['a: tools'])
    })
  })

  test('clients that leave in the middle say nothing of an upstream', async () => {
    const play: Playback = () => ({ pieces: ['Well, '], fault: { type: 'hang' } })
    const { leave, asked } = start({ upstreams: { a: { play }, b: { play: [{ pieces: [call] }] } }, rule })
    for (let n = 0; n < 4; n++) await leave('/v1/messages', request)
    expect(asked()).toEqual(['a: tools', 'a: tools', 'a: tools', 'a: tools'])
  })
})

test('a call that is not valid is sent back where the rule says so', async () => {
  const wrong: Piece = { ...call, arguments: '{}' }
  const play: Playback = (index) => ({ pieces: [index === 0 ? wrong : call] })
  const { post, asked } = start({
    upstreams: { a: { play } },
    rule: { upstream: 'a', plan: 'native', corrections: 1 },
  })
  // The call that was sent back has the upstream's id.
  expect(await post('/v1/messages', request)).toMatchObject(use(/^toolu_/))
  expect(asked()).toEqual(['a: tools', 'a: tools'])
})

test('a reply that comes at once may have more events than a function takes arguments', async () => {
  const calls = Array.from({ length: 50_000 }, () => '{"name":"get_weather","arguments":{"city":"Paris"}}')
  const text = `<tool_call>\n[${calls.join(',')}]\n</tool_call>`
  const { post } = start({
    upstreams: { a: { play: [{ pieces: [text] }] } },
    rule: { upstream: 'a', plan: 'prompted', dialect: 'hermes' },
  })
  const { status, content } = await post('/v1/messages', request)
  expect({ status, calls: Array.isArray(content) && content.length }).toEqual({ status: 200, calls: calls.length })
})
