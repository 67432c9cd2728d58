import { test } from 'vitest'
import { admits, parseGbnf } from '../grammar/test-gbnf.ts'
import { analyzeTemplate } from './analysis/analyze.ts'
import { standardTools, testTemplates } from './analysis/test-templates.ts'
import { loadTemplate } from './load.ts'
import { templateDialect } from './template-dialect.ts'

test('x', () => {
  for (const one of testTemplates) {
    const loaded = loadTemplate(one.source, { specialTokens: one.specialTokens })
    if (loaded.type === 'error') throw new Error(loaded.message)
    const d = templateDialect(analyzeTemplate(loaded.template))
    const h = d.analysis.frame.header.trim()
    const bh = (t: string) => {
      const w = one.header + t
      return w.slice(w.indexOf(h) + h.length).trimStart()
    }
    const prompt = d.renderPrompt({
      model: '',
      system: '',
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      tools: [...standardTools],
      toolChoice: { type: 'auto' },
      parallelCalls: true,
      stopSequences: [],
      sampling: {},
      reasoning: { enabled: false },
    })
    if (prompt.type === 'error') {
      console.log(one.name, prompt.message)
      continue
    }
    const calls = bh(one.written.calls)
    const written = (calls.startsWith(prompt.begun) ? calls.slice(prompt.begun.length) : calls).trim()
    const g = d.grammar({
      tools: standardTools,
      parallelCalls: true,
      begun: prompt.begun,
      reasoning: false,
      toolChoice: { type: 'required' },
    })
    const r = g && admits(parseGbnf(g.grammar), written)
    const reader = d.createReader({
      tools: standardTools,
      toolChoice: { type: 'auto' },
      parallelCalls: true,
      newCallId: () => 'id',
    })
    const ev = [...reader.push(calls), ...reader.end('stop')]
    const n = ev.filter((e) => e.type === 'notice')
    if (r !== true || n.length) {
      console.log(
        '=====',
        one.name,
        r,
        JSON.stringify(written),
        typeof r === 'number' ? JSON.stringify(written.slice(0, r)) : '',
        'begun',
        JSON.stringify(prompt.begun),
        'header',
        h,
      )
      console.log(JSON.stringify(n).slice(0, 600))
      if (r !== true) console.log(g?.grammar.slice(0, 1500))
    }
  }
})
