import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { callPart } from '../probes/replies.ts'
import type { TurnMarkers } from './turn-markers.ts'

/** The call that every example shows, as the template writes it; empty if it writes none. */
export function exampleOf(renderer: ProbeRenderer, { lead }: TurnMarkers): string {
  if (!renderer.can.calls) return ''
  const part = callPart({ tool: 0, arguments: { city: '"Paris"', days: '3' } }, 0)
  if (part.type !== 'call') return ''
  const tool = {
    name: 'get_weather',
    description: 'The weather of a city.',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  }
  const reply = renderer.reply([{ ...part, name: 'get_weather', id: 'functions.get_weather:0' }], { tools: [tool] })
  return reply?.startsWith(lead) ? reply.slice(lead.length).trim() : ''
}
