import type { Tool } from '../../conversation/index.ts'
import type { FormatData } from '../format.ts'
import { deepseekV3, deepseekV31 } from './deepseek.ts'
import { functionaryV31, functionaryV32 } from './functionary.ts'
import { harmony } from './harmony.ts'
import { hermes, longcat, toolCallJson } from './json-in-tags.ts'
import {
  apertus,
  apriel,
  cohere,
  commandRPlus,
  granite,
  internlm,
  jamba,
  minimaxM1,
  nemotronNano,
  phi4,
} from './json-lists.ts'
import { gigachat3, inkling } from './json-messages.ts'
import { kimiK2 } from './kimi-k2.ts'
import { llamaJson, xlam } from './llama-json.ts'
import { plamo3, solarOpen } from './marked-names.ts'
import { mistral } from './mistral.ts'

/** All formats whose arguments are JSON: for tests only. */
export const jsonFormats: readonly FormatData[] = [
  hermes,
  minimaxM1,
  jamba,
  apriel,
  llamaJson,
  mistral,
  phi4,
  commandRPlus,
  internlm,
  granite,
  apertus,
  nemotronNano,
  cohere,
  gigachat3,
  longcat,
  xlam,
  inkling,
  plamo3,
  functionaryV31,
  functionaryV32,
  deepseekV3,
  deepseekV31,
  kimiK2,
  solarOpen,
  harmony,
  toolCallJson,
]

const weather: Tool = {
  name: 'get_weather',
  description: '',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, stops: { type: 'array' } },
    required: ['city'],
  },
}
const now: Tool = { name: 'now', description: '', schema: { type: 'object', properties: {} } }
export const tools: readonly Tool[] = [weather, now]
