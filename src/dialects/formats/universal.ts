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

/** These are read as any XML reader would read them, if no trigger or token identifies the format. */
const likeXml: readonly FormatData[] = [toolify, dsml, dsmlSpaced]
/** GLM has only a word after its tag, which other formats may have as well. */
const others = blocksOf(...formats.filter((format) => format !== glm && !likeXml.includes(format)))
/**
 * Blocks with a marker that is a family's own come before XML: their values are raw, although their tags may look
 * alike.
 */
const marked = others.filter(({ place }) => place === 'anywhere')

const [asked] = toolCallJson.blocks

/** Reads the forms of all models: every format, and the forms that belong to no model. */
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
      ...familyCalls,
      cwm,
      ...others,
      ...pythonInTags,
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
  reasoningClosers: formats.flatMap(({ reasoningClosers }) => reasoningClosers ?? []),
  markers: [...new Set(formats.flatMap(({ markers }) => markers ?? [])), ...qwenAgentMarkers],
  userMessages: formats.flatMap(({ userMessages }) => userMessages ?? []),
  namedCalls: { unmarked: true, lastLines: true, keyed: true, elements: true },
}
