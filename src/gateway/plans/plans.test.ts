import { describe, expect, test } from 'vitest'
import { abilities, conversation, plans, playing, serve, source } from '../../../test/support/gateway/plans.ts'
import { AnycallError, type Conversation, collectReply, type ReplyPart, type Turn } from '../../conversation/index.ts'
import { type Delivery, getDialect } from '../../dialects/index.ts'
import { safeLoadTemplate } from '../../templates/index.ts'
import { createScriptedUpstream, type Piece, type Play } from '../../upstreams/scripted/scripted.ts'
import type { GenerationRequest } from '../../upstreams/upstream.ts'
import type { PlanName } from '../config/config.ts'
import { native } from './native.ts'
import { prompted } from './prompted.ts'
import { templated } from './templated.ts'

/** A model's reply, as its text and as an upstream with its own tool calling sends it. */
interface Saying {
  what: string
  text: string
  sent: Piece[]
  finish?: Play['finish']
  more?: Partial<Conversation>
}

const sayings: readonly Saying[] = [
  { what: 'text', text: 'It rains.', sent: ['It rains.'] },
  {
    what: 'a call',
    text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}\n</tool_call>',
    sent: [{ type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Paris", "days": 3}' }],
  },
  {
    what: 'text and two calls',
    text: 'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    sent: [
      'Let me see.',
      { type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Pa' },
      { type: 'call', index: 0, arguments: 'ris"}' },
      { type: 'call', index: 1, name: 'get_weather', arguments: '{"city": "Rome"}' },
    ],
  },
  {
    what: 'reasoning, text and a call',
    text: '<think>\nHmm.\n</think>\n\nSo.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    sent: [
      { reasoning: 'Hmm.' },
      'So.',
      { type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Paris"}' },
    ],
  },
  {
    what: 'arguments with faults',
    text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": "3",}}\n</tool_call>',
    sent: [{ type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Paris", "days": "3",}' }],
  },
  {
    what: 'a call that was cut',
    text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par',
    sent: [{ type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Par' }],
    finish: 'length',
  },
  {
    what: 'a stop sequence in text',
    text: 'One END two',
    sent: ['One EN', 'D two'],
    more: { stopSequences: ['END'] },
  },
]

describe.each(sayings)('the same reply by every plan: $what', ({ text, sent, finish, more = {} }) => {
  const ended = finish === undefined ? {} : { finish }
  test.each([1, 3, 1000])('in pieces of %i', async (size) => {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const replies = await Promise.all(
      plans.map((plan) => serve(plan, [{ pieces: plan.name === 'native' ? sent : pieces, ...ended }], more)),
    )
    const [first, ...others] = replies.map(({ requests: _, ...reply }) => reply)
    expect(first?.parts.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(first)
  })

  test('a native upstream that leaks all of it as text', async () => {
    const leaked = await serve(native, [{ pieces: [text], ...ended }], more)
    const asText = await serve(prompted, [{ pieces: [text], ...ended }], more)
    expect({ ...leaked, requests: [] }).toEqual({ ...asText, requests: [] })
  })
})

test.each<[PlanName, GenerationRequest['type']]>([
  ['native', 'tools'],
  ['prompted', 'messages'],
  ['templated', 'prompt'],
])('plan %s asks with %s', async (name, type) => {
  const plan = plans.find((one) => one.name === name)
  const { requests } = plan ? await serve(plan, [{ pieces: ['Yes.'] }]) : { requests: [] }
  expect(requests.map((request) => request.type)).toEqual([type])
})

describe.each(plans)('earlier reasoning, by plan $name', (plan) => {
  const turns: Turn[] = [
    { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] },
    { role: 'assistant', parts: [{ type: 'reasoning', text: 'They greet.' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'So shall I.' },
        { type: 'text', text: 'Hello.' },
      ],
    },
    { role: 'user', parts: [{ type: 'text', text: 'Bye.' }] },
  ]
  const sent = async (reasoning: 'field' | 'drop'): Promise<string> => {
    const { generate, requests } = playing(plan, [{ pieces: ['Bye.'] }], { reasoning })
    await collectReply(await generate(conversation({ turns })))
    return JSON.stringify(requests)
  }

  test('is sent along', async () => {
    const request = await sent('field')
    for (const text of ['They greet.', 'So shall I.', 'Hello.']) expect(request).toContain(text)
  })

  test('is dropped where the rule says so, and its turn with it where that had nothing else', async () => {
    const request = await sent('drop')
    for (const text of ['They greet.', 'So shall I.']) expect(request).not.toContain(text)
    expect(request.split('Hello.')).toHaveLength(2)
    expect(request).not.toContain('"parts":[]')
  })
})

describe('templated', () => {
  test('the prompt is the template’s, the calls are held to their grammar', async () => {
    const { requests } = await serve(templated, [{ pieces: ['Yes.'] }], { toolChoice: { type: 'required' } })
    const [request] = requests
    if (request?.type !== 'prompt') throw new Error('a prompt was to be sent')
    expect(request.prompt).toContain('<|im_start|>user\nWeather in Paris?<|im_end|>')
    expect(request.prompt.endsWith('<|im_start|>assistant\n')).toBe(true)
    expect(request.stops).toContain('<|im_end|>')
    expect(request.preservedTokens).toEqual(expect.arrayContaining(['<tool_call>', '</tool_call>', '<think>']))
    expect(request.constraint).toMatchObject({ type: 'gbnf', grammar: { isLazy: false } })
  })

  test('without tools nothing is held', async () => {
    const { requests } = await serve(templated, [{ pieces: ['Yes.'] }], { tools: [] })
    expect(requests[0]).toMatchObject({ type: 'prompt', stops: expect.arrayContaining(['<|im_end|>']) })
    expect(requests[0]).not.toHaveProperty('constraint')
  })

  test('a format is in the prompt, and the reply is held to its schema', async () => {
    const schema = { type: 'object', properties: { sky: { enum: ['clear'] } }, required: ['sky'] }
    const responseFormat = { type: 'json-schema' as const, schema }
    const held = async (more: Partial<Conversation>) => {
      const { requests } = await serve(templated, [{ pieces: ['{"sky": "clear"}'] }], { responseFormat, ...more })
      const [request] = requests
      if (request?.type !== 'prompt' || request.constraint?.type !== 'gbnf') throw new Error('no grammar was sent')
      return { prompt: request.prompt, grammar: request.constraint.grammar.grammar }
    }
    const alone = await held({ tools: [] })
    expect(alone.prompt).toContain('# Response format')
    expect(alone.grammar).toContain('clear')
    const beside = await held({})
    expect(beside.grammar).toContain('clear')
    expect(beside.grammar).toContain('get_weather')
    const demanded = await held({ toolChoice: { type: 'required' } })
    expect(demanded.prompt).not.toContain('# Response format')
    expect(demanded.grammar).not.toContain('clear')
  })

  test('a template without tools and calls: both are in the prompt, in the form that is held to and read', async () => {
    const plain =
      '{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'
    const call = '<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "Paris"}}\n</TOOL_CALL>'
    const { requests, parts, codes } = await serve(templated, [{ pieces: [call] }], {}, 0, plain)
    const [request] = requests
    if (request?.type !== 'prompt') throw new Error('a prompt was to be sent')
    expect(request.prompt).toContain('{"name":"get_weather","description":"Tells the weather."')
    expect(request.prompt).toContain('in exactly this form:\n\n<TOOL_CALL>\n{"name": "TOOL_NAME", "input":')
    expect(request.constraint).toMatchObject({ grammar: { triggers: [{ value: '<TOOL_CALL>' }] } })
    expect(parts).toMatchObject([{ type: 'call', name: 'get_weather', arguments: '{"city":"Paris"}' }])
    expect(codes).toEqual(['prompt-adapted'])
  })

  test('a reply that the client began goes on', async () => {
    const begun = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'It is' }] }
    const { requests, parts } = await serve(templated, [{ pieces: [' raining.'] }], {
      turns: [...conversation().turns, begun],
    })
    expect(requests[0]).toMatchObject({ prompt: expect.stringMatching(/<\|im_start\|>assistant\nIt is$/) })
    expect(parts).toEqual([{ type: 'text', text: ' raining.' }])
  })

  test('a call without the markers of the template tells of an engine that drops them', async () => {
    const bare = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    const { parts, codes } = await serve(templated, [{ pieces: [bare] }])
    expect(parts).toMatchObject([{ type: 'call', name: 'get_weather' }])
    expect(codes).toContain('special-tokens-dropped')
  })

  test('a call in a format without markers tells of nothing', async () => {
    const plain = source.replaceAll(/<\/?tool_call>/g, '')
    const bare = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    const { parts, codes } = await serve(templated, [{ pieces: [bare] }], {}, 0, plain)
    expect(parts).toMatchObject([{ type: 'call', name: 'get_weather' }])
    expect(codes).toEqual([])
  })

  test('a conversation that the template refuses', async () => {
    const strict = safeLoadTemplate("{{ raise_exception('Only Latin, please.') }}")
    expect(strict.type).toBe('template')
    if (strict.type !== 'template') return
    const upstream = createScriptedUpstream({ name: 'test', abilities, play: [{ pieces: ['x'] }] })
    const dialect = getDialect('hermes')
    if (!dialect) throw new Error('hermes is a dialect')
    const request = {
      conversation: conversation(),
      upstream,
      model: 'm',
      callIdPrefix: '',
      delivery: 'live' as const,
      dialect,
      trigger: async () => '',
      reasoning: 'drop' as const,
      template: strict.template,
      continuations: 0,
    }
    const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
    await expect(templated.generate(request, context)).rejects.toThrow(
      'The chat template of the model "m" refuses this conversation: Only Latin, please.',
    )
  })
})

describe.each([prompted, templated])('a call that the token limit cuts, by plan $name', (plan) => {
  const [begun, rest] = ['<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par', 'is"}}\n</tool_call>']

  test('goes on', async () => {
    const plays: Play[] = [{ pieces: ['So.\n', begun], finish: 'length' }, { pieces: [rest] }]
    const { parts, codes, reason, requests } = await serve(plan, plays, {}, 1)
    expect(parts).toEqual([
      { type: 'text', text: 'So.' },
      { type: 'call', id: 'ID', name: 'get_weather', arguments: '{"city":"Paris"}', complete: true },
    ])
    expect(codes).toEqual(['call-continued'])
    expect(reason).toBe('calls')
    expect(JSON.stringify(requests[1])).toContain(JSON.stringify(`So.\n${begun}`).slice(1, -1))
  })

  const places: [where: string, cut: string][] = [
    ['after its marker', '<tool_call>'],
    ['in its name', '<tool_call>\n{"name": "get_w'],
    ['after its name', '<tool_call>\n{"name": "get_weather"'],
    ['in its arguments', begun],
    ['in a second call', `${begun}${rest}\n<tool_call>\n{"na`],
  ]
  describe.each<Delivery>(['live', 'whole'])('with delivery %s', (delivery) => {
    test.each(places)('goes on %s', async (_, cut) => {
      const wanted = cut.startsWith(begun) && cut !== begun ? 2 : 1
      const all = Array(wanted)
        .fill(begun + rest)
        .join('\n')
      const plays: Play[] = [{ pieces: [cut], finish: 'length' }, { pieces: [all.slice(cut.length)] }]
      const { generate } = playing(plan, plays, { continuations: 1, delivery })
      const { parts, notices, finish } = await collectReply(await generate(conversation()))
      const call = { type: 'call', name: 'get_weather', arguments: '{"city":"Paris"}', complete: true }
      expect(parts).toMatchObject(Array(wanted).fill(call))
      expect(notices.map(({ code }) => code)).toEqual(['call-continued'])
      expect(finish.reason).toBe('calls')
    })
  })

  test('goes on as often as is allowed', async () => {
    const play: Play = { pieces: [begun], finish: 'length' }
    const { reason, requests } = await serve(plan, [play, play, play], {}, 1)
    expect(reason).toBe('length')
    expect(requests).toHaveLength(2)
  })

  const overloaded = new AnycallError('overloaded', 'busy')
  const long = 'is in spring. '.repeat(20)
  const failures: [what: string, failing: Play, last: string][] = [
    ['is refused', { pieces: [], fault: { type: 'status', error: overloaded } }, ''],
    ['breaks off', { pieces: [long], fault: { type: 'cut', afterPieces: 1 } }, long],
  ]
  test.each(failures)('ends where it was cut if going on %s', async (_, failing, last) => {
    const first: Play = { pieces: ['So.\n', begun], finish: 'length', usage: { inputTokens: 10, outputTokens: 5 } }
    const { generate, log } = playing(plan, [first, failing], { continuations: 2 })
    const { parts, notices, finish } = await collectReply(await generate(conversation()))
    expect(parts).toEqual([
      { type: 'text', text: 'So.' },
      { type: 'call', id: expect.any(String), name: 'get_weather', arguments: `{"city":"Par${last}`, complete: false },
    ])
    expect(notices.map(({ code }) => code)).toEqual(['call-continued', 'continuation-failed', 'incomplete-call'])
    expect(finish).toMatchObject({ reason: 'length', usage: { inputTokens: 10, outputTokens: 5 } })
    expect(log.map(([level, event]) => [level, event])).toEqual([['warn', 'continuation-failed']])
  })

  test('goes on for no client that is gone', async () => {
    const client = new AbortController()
    const play: Play = { pieces: [begun], finish: 'length' }
    const { generate } = playing(plan, [play, play], { continuations: 2, signal: client.signal })
    const reply = await generate(conversation())
    const read = async (): Promise<void> => {
      for await (const events of reply) if (events.some(({ type }) => type === 'notice')) client.abort(overloaded)
    }
    await expect(read()).rejects.toBe(overloaded)
  })

  test('text goes on for no one', async () => {
    const { reason, requests } = await serve(plan, [{ pieces: ['It is'], finish: 'length' }], {}, 3)
    expect(reason).toBe('length')
    expect(requests).toHaveLength(1)
  })
})

test.each<[Delivery, ReplyPart]>([
  ['live', { type: 'call', id: expect.any(String), name: 'get_weather', arguments: '{"city":"Par', complete: false }],
  ['whole', { type: 'text', text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par' }],
])('with delivery %s a model that begins anew otherwise makes no call of what was cut', async (delivery, part) => {
  const [begun, rest] = ['<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par', 'is"}}\n</tool_call>']
  const plays: Play[] = [{ pieces: [begun], finish: 'length' }, { pieces: [`Sure, continuing:\n${rest}`] }]
  const { generate } = playing(prompted, plays, { continuations: 1, delivery })
  const { parts, notices, finish } = await collectReply(await generate(conversation()))
  expect(parts).toEqual([part])
  expect(notices.map(({ code }) => code)).toEqual(['call-continued', 'continuation-failed', 'incomplete-call'])
  expect(finish.reason).toBe('length')
})
