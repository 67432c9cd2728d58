import {
  AnycallError,
  type ConversationInput,
  type Tool,
  type ToolDefinition,
  toolsForReading,
} from '../../conversation/index.ts'
import { analyzeTemplate, safeLoadTemplate, templateDialect } from '../../templates/index.ts'
import type { TemplateRequest, TemplateResult } from './types.ts'

const city: Tool = {
  name: 'get_weather',
  description: 'Returns the weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

/** A conversation with a call and its result. */
const example: ConversationInput = {
  system: 'You are helpful.',
  turns: [
    { role: 'user', parts: [{ type: 'text', text: 'How is the weather in Oslo?' }] },
    { role: 'assistant', parts: [{ type: 'call', id: 'call_1', name: city.name, arguments: '{"city":"Oslo"}' }] },
    {
      role: 'user',
      parts: [
        {
          type: 'result',
          callId: 'call_1',
          name: city.name,
          content: [{ type: 'text', text: 'Rain' }],
          isError: false,
        },
      ],
    },
  ],
}

/** Analyses a chat template. Throws `invalid-request` for a text that is not a template. */
export function analyse({ template: source, tools = [], conversation }: TemplateRequest): TemplateResult {
  const loaded = safeLoadTemplate(source)
  if (loaded.type === 'error')
    throw new AnycallError('invalid-request', `template: ${loaded.message}`, { param: 'template' })
  const dialect = templateDialect(analyzeTemplate(loaded.template))
  const { capabilities, calls, probes, unread, handler, hypothesis } = dialect.analysis
  const offered = tools.length === 0 ? [city] : toolsForReading(tools as ToolDefinition[])
  // The dialect checks it.
  const prompt = dialect.safeRenderPrompt({
    tools: offered,
    ...((conversation as ConversationInput | undefined) ?? example),
  })
  const grammar = dialect.grammar({ tools: offered })
  return {
    capabilities: { ...capabilities, handler, hypothesis },
    ...(calls && { calls }),
    proof: { passed: probes.length - unread.length, failed: [...unread] },
    ...(prompt.type === 'error' ? { problem: prompt.problem } : { prompt: prompt.text }),
    ...(grammar && { grammar: grammar.grammar }),
  }
}
