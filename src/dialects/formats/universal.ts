import type { Block, FormatData } from '../format/format.ts'
import { reasoningForms } from '../format/reasoning-forms.ts'
import { dsml, dsmlSpaced } from './elements/dsml.ts'
import { familyCalls } from './elements/family-tags.ts'
import { glm } from './elements/glm.ts'
import { toolify } from './elements/toolify.ts'
import { attributedJson, xmlCalls } from './elements/xml-calls.ts'
import { directCalls } from './functions/direct-calls.ts'
import { promptCalls, qwenAgentMarkers } from './functions/prompt-calls.ts'
import { pythonInTags, toolCode } from './functions/pythonic.ts'
import { formats } from './index.ts'
import { bareJson } from './json/bare-json.ts'
import { toolCallJson } from './json/in-tags.ts'
import { cwm } from './names/cwm.ts'
import { otherMarkers } from './other-markers.ts'

function blocksOf(...of: readonly FormatData[]): Block[] {
  return of.flatMap(({ blocks }) => blocks)
}

/** These are read by what they look like to any reader of XML, where no trigger or token says what they are. */
const likeXml: readonly FormatData[] = [toolify, dsml, dsmlSpaced]
/** GLM has nothing but a word behind its tag, which others may have as well. */
const others = blocksOf(...formats.filter((format) => format !== glm && !likeXml.includes(format)))
/** What a family marks as its own comes before XML: its values are raw, though its tags may look alike. */
const marked = others.filter(({ place }) => place === 'anywhere')

const [asked] = toolCallJson.blocks

/** Reads what any model writes: every format, and those that belong to no model. */
export const universal: FormatData = {
  name: 'universal',
  families: 'any model; reads every format, and asks for JSON in tags',
  source: 'all other dialects',
  example: toolCallJson.example,
  blocks: [
    ...new Set([
      attributedJson,
      ...marked,
      ...xmlCalls,
      ...blocksOf(dsml),
      familyCalls,
      cwm,
      ...others,
      pythonInTags,
      toolCode,
      ...directCalls,
      ...promptCalls,
      ...bareJson,
      ...blocksOf(glm),
      ...otherMarkers,
    ]),
  ],
  written: asked,
  reasoning: Object.values(reasoningForms),
  markers: [...new Set(formats.flatMap(({ markers }) => markers ?? [])), ...qwenAgentMarkers],
  userMessages: formats.flatMap(({ userMessages }) => userMessages ?? []),
  namedCalls: { unmarked: true, lastLines: true, keyed: true, elements: true },
}
