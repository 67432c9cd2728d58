import { describe, expect, it } from 'vitest'
import type { Conversation, JsonObject } from '../../conversation/index.ts'
import { createSeals } from '../seals.ts'
import { decode, decodeCountTokens, type GeminiTarget } from './decode.ts'

const seals = createSeals('secret')
const target: GeminiTarget = { model: 'm', seals }
const hi = [{ role: 'user', parts: [{ text: 'hi' }] }]
const decoded = (body: JsonObject) => decode({ contents: hi, ...body }, target)
const conversationOf = async (body: JsonObject): Promise<Conversation> => (await decoded(body)).conversation
const codesOf = async (body: JsonObject): Promise<string[]> => (await decoded(body)).notices.map(({ code }) => code)
const turnsOf = async (contents: JsonObject[]) => (await conversationOf({ contents })).turns
const text = (text: string) => ({ type: 'text', text })

describe('contents', () => {
  it.each<[string, unknown]>([
    ['a text', 'hi'],
    ['one content', { parts: [{ text: 'hi' }] }],
    ['a part that is a text', [{ parts: ['hi'] }]],
    ['one part', [{ parts: { text: 'hi' } }]],
    ['a content without a role', [{ parts: [{ text: 'hi' }] }]],
  ])('may be %s', async (_, contents) => {
    expect((await decode({ contents }, target)).conversation.turns).toEqual([{ role: 'user', parts: [text('hi')] }])
  })

  it('have images, files of text, and notes for the rest', async () => {
    const parts = [
      { inlineData: { mimeType: 'image/png', data: 'iVBO-_' } },
      { inline_data: { mime_type: 'text/plain', data: btoa('a note') } },
      { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/b.png' } },
      { fileData: { mimeType: 'image/png', fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/x' } },
      { file_data: { file_uri: 'gs://bucket/a.pdf' } },
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { toolCall: { id: 'x' } },
    ]
    const { conversation, notices } = await decoded({ contents: [{ role: 'user', parts }] })
    const missing = (kind: string) => text(`[Attached here: ${kind}. Its content is not available.]`)
    expect(conversation.turns).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'image', url: 'data:image/png;base64,iVBO+/' },
          text('a note'),
          missing('audio'),
          { type: 'image', url: 'https://a.example/b.png' },
          missing('image'),
          missing('file'),
          text('print(1)'),
        ],
      },
    ])
    expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['content-part-unsupported']))
    expect(notices).toHaveLength(5)
  })

  const call = (name: string, id?: string) => ({ functionCall: { name, args: { name }, ...(id && { id }) } })
  const result = (name: string, output: string, id?: string) => ({
    functionResponse: { name, response: { output }, ...(id && { id }) },
  })

  it.each<[string, JsonObject[], JsonObject[], [callId: string, output: string][]]>([
    [
      'by their ids',
      [call('f', 'a'), call('f', 'b')],
      [result('f', '2', 'b'), result('f', '1', 'a')],
      [
        ['b', '2'],
        ['a', '1'],
      ],
    ],
    [
      'by their names',
      [call('f'), call('g')],
      [result('g', '2'), result('f', '1')],
      [
        ['call_0_1', '2'],
        ['call_0_0', '1'],
      ],
    ],
    [
      'of one name by their order',
      [call('f'), call('f')],
      [result('f', '1'), result('f', '2')],
      [
        ['call_0_0', '1'],
        ['call_0_1', '2'],
      ],
    ],
    ['by the name if only they have ids', [call('f')], [result('f', '1', 'x')], [['call_0_0', '1']]],
  ])('have results that are matched with calls %s', async (_, calls, results, expected) => {
    const turns = await turnsOf([
      { role: 'model', parts: calls },
      { role: 'user', parts: results },
    ])
    const parts = turns[1]?.role === 'user' ? turns[1].parts : []
    expect(parts.map((part) => part.type === 'result' && [part.callId, Object(part.content[0]).text])).toEqual(expected)
  })

  it.each<[JsonObject, string, boolean]>([
    [{ output: 'fine' }, 'fine', false],
    [{ output: { a: 1 } }, '{"a":1}', false],
    [{ error: 'no' }, 'no', true],
    [{ result: 'fine' }, '{"result":"fine"}', false],
    [{ output: 'a', error: 'b' }, '{"output":"a","error":"b"}', false],
  ])('have the response %j as %s, as an error: %s', async (response, output, isError) => {
    const turns = await turnsOf([
      { role: 'model', parts: [call('f')] },
      {
        role: 'function',
        parts: [
          {
            functionResponse: { name: 'f', response, parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
          },
        ],
      },
    ])
    const image = { type: 'image', url: 'data:image/png;base64,AAAA' }
    expect(turns[1]).toMatchObject({ parts: [{ type: 'result', content: [text(output), image], isError }] })
  })

  it('have thoughts, in full from a signature', async () => {
    const signed = { thoughtSignature: await seals.seal('The whole thought.') }
    const thought = { text: 'Short.', thought: true }
    const calls = { type: 'call', id: 'call_0_1', name: 'f', arguments: '{"name":"f"}' }
    const whole = { type: 'reasoning', text: 'The whole thought.' }
    const partsOf = async (...parts: JsonObject[]) => {
      const [turn] = await turnsOf([{ role: 'model', parts }])
      return turn?.role === 'assistant' ? turn.parts : []
    }
    expect(await partsOf(thought, { ...call('f'), ...signed })).toEqual([whole, calls])
    expect(await partsOf({ text: 'I ', ...signed }, { text: 'look.' })).toEqual([whole, text('I look.')])
    expect(await partsOf({ text: '', ...signed })).toEqual([whole])
    expect(await partsOf(thought, { text: 'a', thoughtSignature: 'foreign' })).toEqual([
      { type: 'reasoning', text: 'Short.' },
      text('a'),
    ])
  })

  it.each([
    ['foreign', ['reasoning-dropped']],
    ['skip_thought_signature_validator', []],
  ])('report the signature %s with %j', async (thoughtSignature, codes) => {
    expect(await codesOf({ contents: [...hi, { role: 'model', parts: [{ text: 'a', thoughtSignature }] }] })).toEqual(
      codes,
    )
  })
})

describe('settings', () => {
  it('are read, whatever the form of their names', async () => {
    const camel = {
      systemInstruction: { parts: [{ text: 'Be' }, { text: 'brief.' }] },
      generationConfig: {
        maxOutputTokens: '100',
        stopSequences: ['END', ''],
        temperature: 0,
        topP: 0.5,
        topK: 40.0,
        seed: 7,
        presencePenalty: 1,
        frequencyPenalty: 2,
        thinkingConfig: { thinkingBudget: 512, includeThoughts: true },
      },
      safetySettings: [],
    }
    const snake: JsonObject = JSON.parse(
      JSON.stringify(camel).replace(
        /"(\w+)":/g,
        (_, name: string) => `"${name.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`)}":`,
      ),
    )
    for (const body of [camel, snake]) {
      const { conversation, options, notices } = await decoded(body)
      expect(conversation).toMatchObject({
        model: 'm',
        system: 'Be\n\nbrief.',
        maxTokens: 100,
        stopSequences: ['END'],
        sampling: { temperature: 0, topP: 0.5, topK: 40, seed: 7, presencePenalty: 1, frequencyPenalty: 2 },
        reasoning: { enabled: true, budgetTokens: 512 },
      })
      expect(options.includeThoughts).toBe(true)
      expect(notices).toEqual([])
    }
  })

  it.each<[JsonObject, unknown]>([
    [{}, undefined],
    [{ thinkingBudget: 0 }, { enabled: false }],
    [{ thinkingBudget: -1 }, { enabled: true }],
    [{ thinkingLevel: 'HIGH' }, { enabled: true, effort: 'high' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, undefined],
    [{ includeThoughts: true }, { enabled: true }],
    [{ includeThoughts: false }, undefined],
  ])('for thinking: %j is %j', async (thinkingConfig, wish) => {
    expect((await conversationOf({ generationConfig: { thinkingConfig } })).reasoning).toEqual(wish)
  })

  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  it.each<[JsonObject, unknown]>([
    [{ responseMimeType: 'text/plain' }, undefined],
    [{ responseMimeType: 'application/json' }, { type: 'json' }],
    [
      { responseMimeType: 'application/json', responseJsonSchema: schema },
      { type: 'json-schema', schema },
    ],
    [{ _responseJsonSchema: schema }, { type: 'json-schema', schema }],
    [{ responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }, { type: 'json-schema', schema }],
    [{ responseFormat: { text: { mimeType: 'application/json', schema } } }, { type: 'json-schema', schema }],
    [{ responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } }, undefined],
  ])('for the format: %j is %j', async (generationConfig, format) => {
    expect((await conversationOf({ generationConfig })).responseFormat).toEqual(format)
  })

  it('that are not known, or have no effect, are reported', async () => {
    const generationConfig = { frobnicate: 1, responseLogprobs: true, responseModalities: ['TEXT', 'AUDIO'] }
    expect(await codesOf({ generationConfig, cachedContent: 'cachedContents/x', bar: 1 })).toEqual([
      'field-ignored',
      'field-unknown',
      'field-ignored',
      'field-ignored',
      'field-unknown',
    ])
  })
})

describe('what is refused', () => {
  it.each<[string, JsonObject]>([
    ['contents', { contents: [] }],
    ['contents', { contents: [{ parts: [{ text: '' }] }] }],
    ['contents', { contents: 7 }],
    ['contents[0]', { contents: [7] }],
    ['contents[0].role', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }],
    ['contents[0].parts', { contents: [{ parts: 7 }] }],
    ['contents[0].parts[0].inlineData.mimeType', { contents: [{ parts: [{ inlineData: { data: 'AAAA' } }] }] }],
    ['contents[0].parts[0].functionResponse.name', { contents: [{ parts: [{ functionResponse: { name: 'f' } }] }] }],
    ['contents[0].parts[0].functionCall.name', { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] }],
    ['tools', { tools: {} }],
    ['tools[0].functionDeclarations[0].name', { tools: [{ functionDeclarations: [{}] }] }],
    [
      'tools[0].functionDeclarations[0].parameters',
      { tools: [{ functionDeclarations: [{ name: 'f', parameters: 'x' }] }] },
    ],
    ['toolConfig.functionCallingConfig.mode', { toolConfig: { functionCallingConfig: { mode: 'SOME' } } }],
    ['toolConfig.functionCallingConfig.mode', { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
    ['generationConfig.maxOutputTokens', { generationConfig: { maxOutputTokens: 0 } }],
    ['generationConfig.temperature', { generationConfig: { temperature: 'hot' } }],
    ['generationConfig.stopSequences', { generationConfig: { stopSequences: 'END' } }],
    ['generationConfig.candidateCount', { generationConfig: { candidateCount: 2 } }],
    ['generationConfig.thinkingConfig', { generationConfig: { thinkingConfig: true } }],
  ])('is named: %s in %j', async (param, body) => {
    await expect(decoded(body)).rejects.toMatchObject({ code: 'invalid-request', param })
  })
})

it('counts results without their calls, as Gemini CLI sends them, but answers no conversation of that kind', async () => {
  const contents = [
    { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'f', response: { output: 'it is' } } }] },
  ]
  const { turns } = (await decodeCountTokens({ contents }, target)).conversation
  expect(turns).toMatchObject([{ parts: [{ type: 'result', callId: 'x', name: 'f', content: [text('it is')] }] }])
  const refused = { code: 'invalid-request', param: 'contents[0].parts[0].functionResponse.name' }
  await expect(decoded({ contents })).rejects.toMatchObject(refused)
  await expect(decodeCountTokens({ generateContentRequest: { contents } }, target)).rejects.toMatchObject(refused)
})

it('counts contents, or the request that is in the body', async () => {
  const tools = [{ functionDeclarations: [{ name: 'f' }] }]
  const counted = async (body: JsonObject) => (await decodeCountTokens(body, target)).conversation
  expect(await counted({ contents: hi })).toMatchObject({ model: 'm', tools: [] })
  expect(await counted({ generateContentRequest: { model: 'models/m', contents: hi, tools } })).toMatchObject({
    tools: [{ name: 'f', description: '', schema: {} }],
  })
})
