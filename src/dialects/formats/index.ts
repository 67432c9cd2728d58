import type { FormatData } from '../format.ts'
import { command4 } from './command4.ts'
import { deepseekV3, deepseekV31 } from './deepseek.ts'
import { dsml, dsmlSpaced } from './dsml.ts'
import { iquest } from './family-tags.ts'
import { functionaryV31, functionaryV32 } from './functionary.ts'
import { functiongemma, gemma4 } from './gemma.ts'
import { glm, hunyuan } from './glm.ts'
import { harmony } from './harmony.ts'
import { hermes, longcat, stepAudio2, toolCallJson } from './json-in-tags.ts'
import {
  apertus,
  apriel,
  cohere,
  commandRPlus,
  granite,
  hyperclova,
  internlm,
  jamba,
  minimaxM1,
  nemotronNano,
  openpangu,
  phi4,
  rwkv,
} from './json-lists.ts'
import { gigachat3, inkling } from './json-messages.ts'
import { k2Horizon } from './k2-horizon.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { llamaJson, xlam } from './llama-json.ts'
import { plamo3, solarOpen } from './marked-names.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM2, minimaxM3 } from './minimax.ts'
import { mistral } from './mistral.ts'
import { museGlimmer } from './muse-glimmer.ts'
import { lfm2, olmo3, pythonic } from './pythonic.ts'
import { qwen3Coder, seedOss } from './qwen3-coder.ts'
import { solarOpen2 } from './solar-open2.ts'
import { step3 } from './step3.ts'
import { toolify } from './toolify.ts'

/**
 * All formats, those that were made for prompts first. The universal reader tries them in this order where several
 * begin alike, so that what one family writes as its own comes before what any model may write.
 */
export const formats: readonly FormatData[] = [
  toolify,
  toolCallJson,
  hermes,
  qwen3Coder,
  seedOss,
  mistral,
  llamaJson,
  functionaryV31,
  functionaryV32,
  deepseekV3,
  deepseekV31,
  dsml,
  dsmlSpaced,
  kimiK2,
  kimiK3,
  harmony,
  gemma4,
  functiongemma,
  minimaxM1,
  minimaxM2,
  minimaxM3,
  minicpm5,
  step3,
  cohere,
  commandRPlus,
  rwkv,
  command4,
  granite,
  phi4,
  internlm,
  apertus,
  nemotronNano,
  jamba,
  apriel,
  longcat,
  stepAudio2,
  hyperclova,
  openpangu,
  gigachat3,
  inkling,
  plamo3,
  xlam,
  solarOpen,
  solarOpen2,
  hunyuan,
  k2Horizon,
  museGlimmer,
  pythonic,
  olmo3,
  lfm2,
  iquest,
  glm,
]
