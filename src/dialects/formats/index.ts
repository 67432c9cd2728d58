import type { FormatData } from '../format/format.ts'
import { command4 } from './elements/command4.ts'
import { dsml, dsmlSpaced } from './elements/dsml.ts'
import { iquest } from './elements/family-tags.ts'
import { glm, hunyuan } from './elements/glm.ts'
import { k2Horizon } from './elements/k2-horizon.ts'
import { kimiK3 } from './elements/kimi-k3.ts'
import { minicpm5 } from './elements/minicpm5.ts'
import { minimaxM2, minimaxM3 } from './elements/minimax.ts'
import { museGlimmer } from './elements/muse-glimmer.ts'
import { qwen3Coder, seedOss } from './elements/qwen3-coder.ts'
import { solarOpen2 } from './elements/solar-open2.ts'
import { step3 } from './elements/step3.ts'
import { toolify } from './elements/toolify.ts'
import { lfm2, olmo3, pythonic } from './functions/pythonic.ts'
import { hermes, longcat, stepAudio2, toolCallJson } from './json/in-tags.ts'
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
} from './json/lists.ts'
import { llamaJson, xlam } from './json/llama.ts'
import { gigachat3, inkling } from './json/messages.ts'
import { mistral } from './json/mistral.ts'
import { deepseekV3, deepseekV31 } from './names/deepseek.ts'
import { functionaryV31, functionaryV32 } from './names/functionary.ts'
import { functiongemma, gemma4 } from './names/gemma.ts'
import { harmony } from './names/harmony.ts'
import { kimiK2 } from './names/kimi-k2.ts'
import { plamo3, solarOpen } from './names/marked-names.ts'

/**
 * All formats, those that were made for prompts first. The universal reader tries them in this order if several begin
 * alike, so that a family's own form comes before forms that any model may write.
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
