import { compileTemplate, type RenderFault } from '../../../src/templates/jinja/template.ts'

const variables = {
  s: 'Hello w\u00f6rld \ud83d\ude00',
  n: null,
  t: true,
  i: 7,
  f: 2.5,
  l: [3, 1, 2],
  d: { b: 1, a: 'x', items: [9] },
  m: [
    { role: 'user', content: 'hi', n: 2 },
    { role: 'assistant', content: null, n: 1 },
    { role: 'User', content: 'yo', n: 3 },
  ],
  e: [],
  q: 'it\'s "q"\n\t\\ \u00a0\u200b',
}

/** A template with variables of all kinds, at a fixed moment. */
export function renderPlain(source: string): { type: 'text'; text: string } | RenderFault {
  const compiled = compileTemplate(source)
  if (compiled.type === 'error') return compiled
  const rendered = compiled.template.render(variables, { now: new Date(2026, 0, 15, 10, 30, 0) })
  return rendered.type === 'error' ? rendered : { type: 'text', text: rendered.text }
}
