// A server of whose calls 24 % are not valid: what its clients get, and what the metrics say of it.
import { Validator } from '@cfworker/json-schema'
import { expect, onTestFinished, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { metricValues } from '../../../test/support/gateway/metrics.ts'
import {
  bookingOf,
  bookingTool,
  type Slip,
  slips,
  type WireCall,
  written,
} from '../../../test/support/gateway/slips.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { createScriptedUpstream, type Play } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { callFaults } from './call-faults.ts'

const replies = lawRuns * 10
const spoiled = Math.round(replies * 0.24)

/** The slip of each reply; undefined for one that is written as it should be. */
function drawnSlips(list: readonly Slip[]): (Slip | undefined)[] {
  return Array.from({ length: replies }, (_, at) =>
    (at * spoiled) % replies < spoiled ? list[Math.floor((at * spoiled) / replies) % list.length] : undefined,
  )
}

interface Replay {
  plan: 'native' | 'prompted'
  play(call: WireCall, index: number): Play
  list: readonly Slip[]
}

async function replay({
  plan,
  play,
  list,
}: Replay): Promise<{ gateway: Gateway; drawn: (Slip | undefined)[]; valid: number }> {
  const random = randomOf(29)
  const drawn = drawnSlips(list)
  const upstream = createScriptedUpstream({
    name: 'u',
    abilities: { requests: ['tools', 'messages'] },
    play: (index) => {
      const call = bookingOf(random)
      return play(drawn[index]?.write(call) ?? written(call), index)
    },
  })
  const config = parseConfig({
    upstreams: { u: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1' } },
    models: [{ match: '*', upstream: 'u', plan, dialect: 'hermes' }],
    metrics: true,
  })
  const gateway = createGateway({ config, upstreams: new Map([['u', upstream]]) })
  onTestFinished(() => gateway.close())
  const validator = new Validator(bookingTool.schema)
  let valid = 0
  for (let at = 0; at < replies; at++) {
    const calls = await callsOf(gateway)
    if (calls.length === 1 && calls.every(({ name, arguments: json }) => name === bookingTool.name && isValid(json)))
      valid++
  }
  function isValid(json: string): boolean {
    return validator.validate(JSON.parse(json)).valid
  }
  return { gateway, drawn, valid }
}

async function callsOf(gateway: Gateway): Promise<WireCall[]> {
  const { name, schema: parameters } = bookingTool
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'Book a room.' }],
        tools: [{ type: 'function', function: { name, parameters } }],
      }),
    }),
  )
  const { choices } = (await response.json()) as { choices: { message: { tool_calls?: { function: WireCall }[] } }[] }
  return (choices[0]?.message.tool_calls ?? []).map((call) => call.function)
}

const replays: Record<string, Replay> = {
  'a server with tool calling of its own': {
    plan: 'native',
    list: slips,
    play: ({ name, arguments: json }, index) => {
      const middle = Math.floor(json.length / 2)
      const id = `call_${index}`
      return {
        pieces: [
          { type: 'call', index: 0, id, name },
          { type: 'call', index: 0, arguments: json.slice(0, middle) },
          { type: 'call', index: 0, arguments: json.slice(middle) },
        ],
        finish: 'calls',
      }
    },
  },
  'a model that writes its calls as text': {
    plan: 'prompted',
    // Other spellings of a name are read as the name, without a notice.
    list: slips.filter(({ fault }) => fault !== 'unknown_name'),
    play: ({ name, arguments: json }) => ({
      pieces: [`<tool_call>\n{"name": "${name}", "arguments": `, `${json}}\n</tool_call>`],
    }),
  },
}

test.each(Object.entries(replays))(
  "%s: of its calls 24 %% are not valid, of the client's at most 1 %%",
  async (_, given) => {
    const { gateway, drawn, valid } = await replay(given)
    expect(drawn.filter((slip) => slip !== undefined)).toHaveLength(spoiled)
    expect(valid).toBeGreaterThanOrEqual(replies * 0.99)

    const values = await metricValues(gateway)
    const dialect = given.plan === 'native' ? 'native' : 'hermes'
    const labels = { model: '*', upstream: 'u', dialect }
    const errors = (stage: string, fault: string): number =>
      values('anycall_tool_call_errors_total', { ...labels, stage, class: fault }) ?? 0
    expect(values('anycall_tool_calls_total', { ...labels, stage: 'written' })).toBe(replies)
    expect(values('anycall_tool_calls_total', { ...labels, stage: 'sent' })).toBe(replies)
    for (const fault of callFaults) {
      expect(errors('written', fault), fault).toBe(drawn.filter((slip) => slip?.fault === fault).length)
    }
    expect(callFaults.reduce((sum, fault) => sum + errors('sent', fault), 0)).toBe(replies - valid)
  },
)
