import type { JsonObject, Tool } from '../../conversation/index.ts'
import type { Block } from '../../dialects/index.ts'
import type { ChatTemplate, TemplateAnalysis, TemplateCapabilities, TemplateDialect } from '../../templates/index.ts'
import { conversationOf, readable, userTurn } from '../../templates/index.ts'

interface Around {
  open: string
  close: string
}

/** The output of `anycall template --json`: all findings, as data. Absent findings are null. */
export interface TemplateFacts {
  source: string
  template: {
    /** Its name among several; empty if there is only one. */
    name: string
    names: readonly string[]
    characters: number
    specialTokens: Readonly<Record<string, string>>
    /** Special tokens that the template uses, and its source does not define. */
    missingTokens: readonly string[]
    responseTemplate: JsonObject | null
  }
  capabilities: Omit<TemplateCapabilities, 'tools' | 'emptyContent' | 'reasoning'> & {
    tools: 'wrapped' | 'bare' | null
    /** The content sent for a message that has only calls. */
    emptyContent: '' | null | 'left out'
    reasoning: NonNullable<TemplateCapabilities['reasoning']> | null
  }
  turn: { header: string; ends: readonly string[] }
  reasoning: Around & {
    mode: TemplateAnalysis['reasoning']['mode']
    /** The variables that switch it. */
    switch: { on: Readonly<Record<string, unknown>>; off: Readonly<Record<string, unknown>> } | null
    /** The beginning of the reply that the prompt contains: by default, with reasoning on, and with reasoning off. */
    begun: { unsaid: string | null; on: string | null; off: string | null }
  }
  /** `beforeCalls`: the markers around a text before calls, if they differ; `isAfterCalls`: the text is written after calls. */
  content: Around & {
    mode: TemplateAnalysis['content']['mode']
    beforeCalls: Around | null
    isAfterCalls: boolean
  }
  calls: {
    shape: string
    words: string
    section: Around
    call: Around
    /** The text between two calls. */
    separator: string
    /** The form of ids from which the template takes the tool's name. */
    ids: string | null
    markers: Readonly<Record<string, string>>
  } | null
  /** The dialect whose calls the template's own instructions request. */
  asked: string | null
  /** The trees that the reader, the writer and the grammar are made of; empty if the template shows no calls. */
  format: readonly Block[]
  handler: TemplateAnalysis['handler']
  families: readonly string[]
  /** A call as the model writes it. */
  example: string
  probes: readonly { name: string; passed: boolean; why: string | null }[]
  unread: readonly string[]
  comparisons: TemplateAnalysis['comparisons']
}

export function templateFacts(source: string, dialect: TemplateDialect): TemplateFacts {
  const { template, capabilities, frame, reasoning, reasoningSwitch, content, calls, ...found } = dialect.analysis
  return {
    source,
    template: {
      name: template.name,
      names: template.names.filter((name) => name !== ''),
      characters: template.source.length,
      specialTokens: template.specialTokens,
      missingTokens: missingTokens(template),
      responseTemplate: template.responseTemplate ?? null,
    },
    capabilities: {
      ...capabilities,
      tools: capabilities.tools ?? null,
      emptyContent: capabilities.emptyContent === undefined ? 'left out' : capabilities.emptyContent,
      reasoning: capabilities.reasoning ?? null,
    },
    turn: { header: frame.header, ends: frame.ends },
    reasoning: {
      mode: reasoning.mode,
      open: reasoning.open,
      close: reasoning.close,
      switch: reasoningSwitch ?? null,
      begun: { unsaid: begunBy(dialect), on: begunBy(dialect, true), off: begunBy(dialect, false) },
    },
    content: {
      mode: content.mode,
      open: content.open,
      close: content.close,
      beforeCalls: content.beforeCalls ?? null,
      isAfterCalls: content.isAfterCalls ?? false,
    },
    calls: calls
      ? {
          shape: calls.shape,
          words: calls.words,
          section: readableAround(calls.layout.section),
          call: readableAround(calls.layout.call),
          separator: readable(calls.layout.separator),
          ids: found.ids ?? null,
          markers: Object.fromEntries(Object.entries(calls.markers).map(([name, text]) => [name, readable(text)])),
        }
      : null,
    asked: found.asked?.format ?? null,
    format: found.format.blocks,
    handler: found.handler,
    families: found.families,
    example: exampleOf(dialect),
    probes: found.probes.map(({ name, passed, why }) => ({ name, passed, why: why ?? null })),
    unread: found.unread,
    comparisons: found.comparisons,
  }
}

/** The special tokens of Transformers' tokenizers. */
const knownTokens = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'].map((name) => `${name}_token`)

function missingTokens({ compiled, specialTokens, source }: ChatTemplate): string[] {
  return knownTokens.filter((name) => {
    const isSet = new RegExp(`\\bset\\s+${name}\\b`).test(source)
    return compiled.mentions.names.has(name) && specialTokens[name] === undefined && !isSet
  })
}

/** Returns the beginning of a reply in the prompt of a plain question; null if the template refuses to render one. */
export function begunBy(dialect: TemplateDialect, enabled?: boolean, tools: readonly Tool[] = []): string | null {
  const question = conversationOf([userTurn('What is the weather in Paris?')], tools)
  const prompt = dialect.safeRenderPrompt({ ...question, ...(enabled !== undefined && { reasoning: { enabled } }) })
  return prompt.type === 'prompt' ? prompt.begun : null
}

const exampleTool: Tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}

/** Renders one call without text: some templates write calls differently next to text. */
function exampleOf(dialect: TemplateDialect): string {
  const call = {
    type: 'call',
    id: 'call00001',
    name: exampleTool.name,
    arguments: '{"city": "Paris", "days": 3}',
  } as const
  const written = dialect.analysis.capabilities.calls ? dialect.renderReply([call], [exampleTool]) : undefined
  return written?.includes(exampleTool.name) ? written.trim() : dialect.example
}

function readableAround({ open, close }: Around): Around {
  return { open: readable(open), close: readable(close) }
}
