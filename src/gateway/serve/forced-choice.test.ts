import { expect, test } from 'vitest'
import { serve, tools } from '../../../test/support/gateway/plans.ts'
import type { Conversation, Tool, ToolChoice } from '../../conversation/index.ts'
import { statusError } from '../../upstreams/http/upstream-error.ts'
import type { Piece, Play } from '../../upstreams/scripted/scripted.ts'
import type { GenerationRequest } from '../../upstreams/upstream.ts'
import { native } from '../plans/native.ts'
import { retryWithoutToolChoice } from './forced-choice.ts'

const clock: Tool = { name: 'get_time', description: '', schema: { type: 'object', properties: {} } }
const call: Piece = { type: 'call', index: 0, name: 'get_weather', arguments: '{"city": "Paris"}' }
const made: Play = { pieces: [call] }

function refusal(said: string, status = 400): Play {
  return { pieces: [], fault: { type: 'status', error: statusError({ upstream: 'test', secrets: [] }, status, said) } }
}
const noObject = refusal("Invalid tool_choice type: 'object'. Supported string values: none, auto, required")
const noForce = refusal('The tool_choice parameter does not support being set to required or object in thinking mode')

const named: ToolChoice = { type: 'named', name: 'get_weather' }
const required: ToolChoice = { type: 'required' }

/** The choice of a request, and the tools that it offers. */
function shown(request: GenerationRequest): string {
  if (request.type !== 'tools') return request.type
  const { toolChoice, tools } = request.conversation
  return `${toolChoice.type} of ${tools.map(({ name }) => name).join(', ')}`
}

const both = 'get_weather, get_time'
const unforced = 'tool-choice-unsupported'

test.each<[what: string, choice: ToolChoice, plays: Play[], asked: string[], codes: string[]]>([
  ['a choice that is taken', named, [made], [`named of ${both}`], []],
  ['a name that is refused', named, [noObject, made], [`named of ${both}`, 'required of get_weather'], []],
  [
    'a name for which no call can be forced at all',
    named,
    [noForce, noForce, made],
    [`named of ${both}`, 'required of get_weather', 'auto of get_weather'],
    [unforced],
  ],
  ['a call that cannot be forced', required, [noForce, made], [`required of ${both}`, `auto of ${both}`], [unforced]],
])('%s', async (_, toolChoice, plays, asked, codes) => {
  const conversation: Partial<Conversation> = { tools: [...tools, clock], toolChoice }
  const reply = await serve(retryWithoutToolChoice(native), plays, conversation)
  expect(reply.requests.map(shown)).toEqual(asked)
  expect(reply.parts).toEqual([
    { type: 'call', id: 'ID', name: 'get_weather', arguments: '{"city":"Paris"}', complete: true },
  ])
  expect(reply.codes).toEqual(codes)
})

test.each<[what: string, choice: ToolChoice, fault: Play]>([
  ['what is not about the choice', required, refusal('The schema of a tool is not supported')],
  ['a server that calls nothing', required, refusal('tool_choice="required" requires --tool-call-parser to be set')],
  ['a choice that forces nothing', { type: 'auto' }, noForce],
])('%s is told at once', async (_, toolChoice, fault) => {
  await expect(serve(retryWithoutToolChoice(native), [fault, made], { toolChoice })).rejects.toMatchObject({
    status: 400,
  })
})
