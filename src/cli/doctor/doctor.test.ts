import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeWorld, portOf, serveHttp } from '../../../test/support/cli/fake-world.ts'
import { AnycallError } from '../../conversation/index.ts'
import { safeLoadTemplate } from '../../templates/index.ts'
import { UpstreamError } from '../../upstreams/http/upstream-error.ts'
import { createScriptedUpstream, type Play, type Playback } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, GenerationRequest, Upstream } from '../../upstreams/upstream.ts'
import { run } from '../run.ts'
import type { LocalServer } from '../serve/discover.ts'

const url = 'http://127.0.0.1:9/v1'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anycall-doctor-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Examined {
  code: number
  out: string
  err: string
  /** The outcome and the words of each check, and the advice. */
  checks: Record<string, string[]>
  requests: GenerationRequest[]
}

/** Runs `anycall doctor` twice: for people, and as JSON, which contains its checks. */
async function doctor(
  make: (requests: GenerationRequest[]) => Upstream,
  args: readonly string[] = ['--upstream', url],
): Promise<Examined> {
  const requests: GenerationRequest[] = []
  const once = async (more: readonly string[]) => {
    const world = fakeWorld()
    const services = {
      ...world.services,
      createUpstreams: (config: Parameters<typeof world.services.createUpstreams>[0]) =>
        new Map(Object.keys(config.upstreams).map((name) => [name, make(requests)])),
    }
    const code = await run(['node', 'anycall', 'doctor', ...args, ...more], { io: world.io, services, servers: [] })
    return { code, out: world.out, err: world.err }
  }
  const told = await once([])
  requests.length = 0
  const data: { upstreams: { checks: { check: string; outcome: string; seen: string; advice?: string }[] }[] } =
    JSON.parse((await once(['--json'])).out)
  const checks = Object.fromEntries(
    (data.upstreams[0]?.checks ?? []).map(({ check, outcome, seen, advice }) => [
      check,
      [outcome, seen, ...(advice === undefined ? [] : [advice])],
    ]),
  )
  return { ...told, checks, requests }
}

/** An upstream that plays replies, and records the requests. */
function playing(
  requests: GenerationRequest[],
  abilities: Abilities,
  play: (request: GenerationRequest) => Play,
  more: Partial<Upstream> = {},
): Upstream {
  const playback: Playback = (_, request) => {
    requests.push(request)
    return play(request)
  }
  return {
    ...createScriptedUpstream({ name: 'upstream', abilities, play: playback }),
    models: async () => [{ id: 'nomic-embed' }, { id: 'qwen' }],
    ...more,
  }
}

const chat: Abilities = { requests: ['messages', 'tools'] }

function callOf(index: number, ...pieces: readonly string[]): Play['pieces'] {
  return [
    { type: 'call', index, id: `c${index}`, name: 'report_status' },
    ...pieces.map((piece) => ({ type: 'call' as const, index, arguments: piece })),
  ]
}

/** The kind of question that a request asks. */
function kindOf(request: GenerationRequest): 'plain' | 'single' | 'parallel' | 'forced' | 'other' {
  if (request.type !== 'tools' || request.conversation.tools.length === 0) return 'plain'
  if (request.conversation.toolChoice.type === 'named') return 'forced'
  const text = JSON.stringify(request.conversation.turns)
  return text.includes('twice') ? 'parallel' : text.includes('the code 7') ? 'single' : 'other'
}

describe('a chat server that calls tools', () => {
  const server = (requests: GenerationRequest[]) =>
    playing(requests, chat, (request) => {
      const one = callOf(0, '{"status": "a', 'll systems", ', '"code": 7}')
      const two = callOf(1, '{"status":"blue","code":2}')
      const pieces = {
        plain: [{ reasoning: '17 and 25' }, '42'],
        single: one,
        parallel: [...one, ...two],
        forced: one,
        other: one,
      }
      return { pieces: pieces[kindOf(request)] }
    })

  test('is seen to', async () => {
    const { code, checks, err } = await doctor(server)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(checks).toEqual({
      reachable: ['ok', expect.stringMatching(/^it answers, in \d+ ms$/)],
      models: ['ok', '2 listed: nomic-embed, qwen. The checks below use qwen'],
      template: ['not known', 'none is needed: the upstream writes its prompts itself'],
      dialect: ['not known', 'no chat template is known'],
      answer: ['ok', expect.stringMatching(/^a question was answered in \d+ ms$/)],
      reasoning: ['ok', 'it was separate from the text'],
      call: ['ok', 'the model made the requested call, with arguments that fit the schema'],
      streaming: ['ok', 'the arguments came in 3 pieces'],
      parallel: ['ok', 'of two calls requested in one reply, the model made 2'],
      forced: ['ok', 'the model made the call that tool_choice demanded'],
      structured: [
        'no',
        'an upstream of type scripted does not accept grammars',
        expect.stringContaining('repairs malformed calls'),
      ],
      plan: ['ok', 'native: the upstream made the requested call'],
    })
  })

  test('is not served by the plan of a rule that it cannot be asked by', async () => {
    const config = join(folder, 'anycall.yaml')
    writeFileSync(
      config,
      `upstreams: { upstream: { type: openai-chat, url: "${url}" } }
models: [{ match: "*", upstream: upstream, plan: templated }]`,
    )
    const { checks } = await doctor(server, ['--config', config])
    expect(checks.plan).toEqual([
      'no',
      'prompted: the rule for * says templated. Upstream "upstream" does not accept prompts, which plan templated needs.',
      expect.stringContaining('Use plan auto'),
    ])
  })

  test('is asked no more than is needed, and bounded', async () => {
    const { requests } = await doctor(server)
    expect(requests.map(kindOf)).toEqual(['plain', 'single', 'parallel', 'forced', 'other'])
    for (const request of requests) {
      expect(request).toMatchObject({ model: 'qwen' })
      expect(request.maxTokens).toBeLessThanOrEqual(1024)
    }
  })

  test('is shown in columns', async () => {
    const { out } = await doctor(server)
    const lines = out.split('\n')
    expect(lines[0]).toBe(`upstream   upstream        openai-chat at ${url}`)
    expect(lines).toContain('models     ok              2 listed: nomic-embed, qwen. The checks below use qwen')
    expect(lines).toContain('streaming  ok              the arguments came in 3 pieces')
    expect(lines).toContain('structured no              an upstream of type scripted does not accept grammars')
    expect(lines).toContain('plan       ok              native: the upstream made the requested call')
    expect(out).toMatch(/\n {27}-> Nothing: anycall repairs/)
  })

  test('is asked for the model that is named', async () => {
    const { requests, checks, code } = await doctor(server, ['--upstream', url, '--model', 'llama'])
    expect(new Set(requests.map(({ model }) => model))).toEqual(new Set(['llama']))
    expect(checks.models).toEqual([
      'no',
      'it does not list llama, but nomic-embed, qwen',
      expect.stringContaining('--model'),
    ])
    expect(code).toBe(0)
  })

  test('in a model file is asked for the name that the file gives it', async () => {
    const path = join(folder, 'tiny.gguf')
    writeFileSync(path, 'GGUF')
    const { requests, checks } = await doctor(server, ['--model', path])
    expect(new Set(requests.map(({ model }) => model))).toEqual(new Set(['qwen']))
    expect(checks.models).toEqual(['ok', '2 listed: nomic-embed, qwen. The checks below use qwen'])
  })
})

describe('calls that come otherwise', () => {
  const wrong = '{"status": 5, "code": 7}'
  test.each<[what: string, play: Play, check: string, expected: string[]]>([
    [
      'in one piece',
      { pieces: callOf(0, '{"status":"x","code":7}') },
      'streaming',
      ['no', 'the arguments came in one piece'],
    ],
    [
      'one for two',
      { pieces: callOf(0, '{"status":"x","code":7}') },
      'parallel',
      ['no', 'of two calls requested in one reply, the model made one'],
    ],
    [
      'not valid',
      { pieces: callOf(0, wrong) },
      'call',
      ['no', 'the model made an invalid call: status: is a number, not a string.'],
    ],
    ['not at all', { pieces: ['No.'] }, 'call', ['no', 'the model did not make the requested call']],
    ...['call', 'parallel', 'forced'].map((check): [string, Play, string, string[]] => [
      `cut: ${check}`,
      { pieces: ['Well,'], finish: 'length' },
      check,
      ['not known', 'the limit of 1024 tokens cut the reply before a call was complete'],
    ]),
    [
      'as text',
      { pieces: ['<tool_call>{"name":"report_status","arguments":{"status":"x","code":7}}</tool_call>'] },
      'call',
      ['no', 'the call came as text: the server did not parse it, anycall does'],
    ],
    [
      'not when demanded',
      { pieces: ['Hello!'] },
      'forced',
      ['no', 'the model did not make the call that tool_choice demanded'],
    ],
    [
      'with reasoning in tags',
      { pieces: ['<think>17 and 25</think>42'] },
      'reasoning',
      ['ok', 'it was in tags within the text; anycall separates it'],
    ],
    ['without an answer', { pieces: [] }, 'answer', ['no', expect.stringMatching(/^an empty reply came after/)]],
  ])('%s', async (_, play, check, expected) => {
    const { checks } = await doctor((requests) => playing(requests, chat, () => play))
    const [outcome, seen, advice] = checks[check] ?? []
    expect([outcome, seen]).toEqual(expected)
    // Every fault comes with advice.
    expect(advice === undefined).toBe(outcome === 'ok')
  })
})

test('a chat server that refuses tools: why, and that prompts serve it', async () => {
  const error = new UpstreamError('invalid-request', 'Upstream "u" answered 400: qwen does not support tools', false, {
    status: 400,
    refused: 'tools',
  })
  const { checks, code, requests } = await doctor((requests) =>
    playing(requests, chat, (request) =>
      request.type === 'tools' ? { pieces: [], fault: { type: 'status', error } } : { pieces: ['42'] },
    ),
  )
  expect(code).toBe(0)
  expect(checks.call).toEqual(['no', error.message, expect.stringContaining('--enable-auto-tool-choice')])
  for (const check of ['streaming', 'parallel', 'forced']) {
    expect(checks[check]).toEqual(['not known', 'not asked: the upstream refuses tools'])
  }
  expect(checks.plan).toEqual(['ok', `prompted: the upstream refuses tools: ${error.message}`])
  expect(checks.reasoning?.[0]).toBe('no')
  expect(requests.map(({ type }) => type)).toEqual(['messages', 'tools', 'tools'])
})

describe('an engine that takes prompts', () => {
  const source =
    '{% for tool in tools %}<tool>{{ tool | tojson }}</tool>{% endfor %}{% for message in messages %}<|{{ message.role }}|>{{ message.content or "" }}{% for call in message.tool_calls %}<call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</call>{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'
  const engine: Abilities = { requests: ['prompt'], constraint: 'gbnf' }
  const template: Upstream['template'] = async () => {
    const loaded = safeLoadTemplate(source)
    if (loaded.type === 'error') throw new Error(loaded.message)
    return loaded.template
  }
  const written = '<call>{"name": "report_status", "arguments": {"status": "ready", "code": 7}}</call>'
  const answering = (request: GenerationRequest): Play => ({
    pieces: request.type === 'prompt' && request.constraint ? [written] : ['42'],
  })

  test('with a template: what it says, and a call held to its grammar', async () => {
    const { checks, requests, code } = await doctor((requests) => playing(requests, engine, answering, { template }))
    expect(code).toBe(0)
    expect(checks.template).toEqual([
      'ok',
      'the upstream shows it; calls: a JSON object a call, with "name", "arguments"',
    ])
    expect(checks.dialect).toEqual([
      'ok',
      expect.stringMatching(/^inferred from what the template writes; (\d+) of \1 probes/),
    ])
    expect(checks.answer?.[0]).toBe('ok')
    expect(checks.call).toEqual(['no', 'the upstream does not accept tools', expect.any(String)])
    expect(checks.structured).toEqual([
      'ok',
      "constrained by llama.cpp's grammars (GBNF), the model made a call that fits the schema",
    ])
    expect(checks.plan).toEqual([
      'ok',
      'templated: its chat template renders calls, and the engine accepts their grammar',
    ])
    expect(requests.map((request) => request.type === 'prompt' && request.prompt.endsWith('<|assistant|>'))).toEqual([
      true,
      true,
    ])
  })

  test('with a template in the rule of the configuration', async () => {
    writeFileSync(join(folder, 'chat.jinja'), source)
    const config = join(folder, 'anycall.yaml')
    writeFileSync(
      config,
      `upstreams: { engine: { type: openai-chat, url: "${url}" } }
models: [{ match: [gpt-x, "*"], upstream: engine, plan: templated, template: chat.jinja }]`,
    )
    const { checks, requests, code } = await doctor(
      (requests) => playing(requests, engine, answering),
      ['--config', config],
    )
    expect(code).toBe(0)
    expect(checks.template?.[1]).toMatch(`from ${join(folder, 'chat.jinja')}; calls: a JSON object`)
    expect(checks.plan).toEqual(['ok', 'templated: the rule for gpt-x, * says so'])
    expect(requests[0]?.model).toBe('gpt-x')
  })

  test('without a template: the file to name', async () => {
    const { checks, requests } = await doctor((requests) => playing(requests, engine, answering))
    expect(checks.template).toEqual([
      'no',
      'the upstream accepts prompts, but does not show its chat template',
      expect.stringContaining('template: FILE'),
    ])
    expect(checks.structured?.[0]).toBe('not known')
    expect(checks.answer).toEqual(['not known', 'not asked: no chat template is known, so no prompt can be written'])
    expect(requests).toEqual([])
  })

  test.each(['', written.slice(0, -20)])('whose token limit cuts the call: %j', async (begun) => {
    const { checks } = await doctor((requests) =>
      playing(requests, engine, () => ({ pieces: [begun], finish: 'length' }), { template }),
    )
    expect(checks.structured).toEqual([
      'not known',
      'the limit of 1024 tokens cut the reply before a call was complete',
      expect.any(String),
    ])
  })

  test('that refuses the grammar', async () => {
    const upstream = (requests: GenerationRequest[]): Upstream => {
      const plain = playing(requests, engine, answering, { template })
      return {
        ...plain,
        generate: async (request, context) => {
          const reply = await plain.generate(request, context)
          return (async function* () {
            yield [{ type: 'notice', notice: { code: 'constraint-refused', message: 'too deep' } }]
            yield* reply
          })()
        },
      }
    }
    const { checks } = await doctor(upstream)
    expect(checks.structured?.slice(0, 2)).toEqual(['no', 'the engine refused the grammar: too deep'])
  })
})

describe('an upstream that is not there', () => {
  test.each<[string, Error, string, RegExp]>([
    [
      'down',
      new UpstreamError('upstream', 'Upstream "upstream": nothing listens there', true),
      'Upstream "upstream": nothing listens there',
      /Start the server/,
    ],
    [
      'closed',
      new UpstreamError('authentication', 'Upstream "upstream" answered 401', false, { status: 401 }),
      'Upstream "upstream" answered 401',
      /key/,
    ],
  ])('%s: one row, and exit code 1', async (_, error, seen, advice) => {
    const { code, checks, requests, out, err } = await doctor((requests) =>
      playing(requests, chat, () => ({ pieces: ['42'] }), { models: () => Promise.reject(error) }),
    )
    expect(code).toBe(1)
    expect(checks).toEqual({ reachable: ['no', seen, expect.stringMatching(advice)] })
    expect(out).toContain(`reachable  no              ${seen}\n`)
    expect(err).toBe('')
    expect(requests).toEqual([])
  })

  test('one that lists no models is asked for the one that is named', async () => {
    const error = new UpstreamError('not-found', 'Upstream "upstream" answered 404', false, { status: 404 })
    const { code, checks } = await doctor(
      (requests) => playing(requests, chat, () => ({ pieces: ['42'] }), { models: () => Promise.reject(error) }),
      ['--upstream', url, '--model', 'm'],
    )
    expect(code).toBe(0)
    expect(checks.models).toEqual(['not known', error.message])
    expect(checks.answer?.[0]).toBe('ok')
  })

  test('what fails later is a row', async () => {
    const error = new AnycallError('overloaded', 'Upstream "upstream" is busy\u001b[2J')
    const { code, checks, out } = await doctor((requests) =>
      playing(requests, chat, () => ({ pieces: [], fault: { type: 'status', error } })),
    )
    expect(code).toBe(0)
    for (const check of ['answer', 'call', 'parallel', 'forced']) {
      expect(checks[check]).toEqual(['no', error.message, expect.any(String)])
    }
    expect(checks.streaming?.[0]).toBe('not known')
    expect(checks.plan).toEqual([
      'not known',
      `prompted for now: it could not be asked: ${error.message}`,
      expect.any(String),
    ])
    // The words of a server must not control the terminal.
    expect(out).not.toContain('\u001b')
  })
})

describe('without an upstream named', () => {
  async function onMachine(servers: readonly LocalServer[]) {
    const world = fakeWorld({}, { [`http://127.0.0.1:${servers[0]?.port}/v1`]: ['qwen'] })
    const code = await run(['node', 'anycall', 'doctor'], { io: world.io, services: world.services, servers })
    return { code, out: world.out, err: world.err }
  }

  test('what runs on this machine is looked at', async () => {
    const server = await serveHttp((_, response) => response.end('{"data":[{"id":"qwen"}]}'))
    try {
      const { out } = await onMachine([{ id: 'one', name: 'One', port: portOf(server) }])
      expect(out).toContain(`upstream   one             openai-chat at http://127.0.0.1:${portOf(server)}/v1\n`)
    } finally {
      server.close()
    }
  })

  test('nothing is a row, and exit code 1', async () => {
    const server = await serveHttp((_, response) => response.end('{"data":[]}'))
    try {
      const { code, out, err } = await onMachine([{ id: 'one', name: 'One', port: portOf(server) }])
      expect({ code, err }).toEqual({ code: 1, err: '' })
      expect(out).toContain('upstream   no              no model server was found on this machine\n')
      expect(out).toContain(`One, port ${portOf(server)}: has no models\n`)
      expect(out).toContain('-> Start one of them, or give the address of another server with')
    } finally {
      server.close()
    }
  })
})
