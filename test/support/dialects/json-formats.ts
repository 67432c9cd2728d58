import type { Tool } from '../../../src/conversation/index.ts'
import type { FormatData } from '../../../src/dialects/format/format.ts'
import { hermes, longcat, toolCallJson } from '../../../src/dialects/formats/json/in-tags.ts'
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
} from '../../../src/dialects/formats/json/lists.ts'
import { llamaJson, xlam } from '../../../src/dialects/formats/json/llama.ts'
import { gigachat3, inkling } from '../../../src/dialects/formats/json/messages.ts'
import { mistral } from '../../../src/dialects/formats/json/mistral.ts'
import { deepseekV3, deepseekV31 } from '../../../src/dialects/formats/names/deepseek.ts'
import { functionaryV31, functionaryV32 } from '../../../src/dialects/formats/names/functionary.ts'
import { harmony } from '../../../src/dialects/formats/names/harmony.ts'
import { kimiK2 } from '../../../src/dialects/formats/names/kimi-k2.ts'
import { plamo3, solarOpen } from '../../../src/dialects/formats/names/marked-names.ts'

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
