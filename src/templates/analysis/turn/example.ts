import type { Outline } from '../probes/outline.ts'
import { callPart } from '../probes/replies.ts'
import type { Frame } from './frame.ts'

/** The call that every example shows, as the template writes it; empty where it writes none. */
export function exampleOf(outline: Outline, { lead }: Frame): string {
  if (!outline.can.calls) return ''
  const part = callPart({ tool: 0, arguments: { city: '"Paris"', days: '3' } }, 0)
  if (part.type !== 'call') return ''
  const tool = {
    name: 'get_weather',
    description: 'The weather of a city.',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  }
  const reply = outline.reply([{ ...part, name: 'get_weather', id: 'functions.get_weather:0' }], { tools: [tool] })
  return reply?.startsWith(lead) ? reply.slice(lead.length).trim() : ''
}
