import { expect, it } from 'vitest'
import { sglang, startEngine, vllm } from '../../../test/support/upstreams/completions.ts'
import { generated, promptRequest } from '../../../test/support/upstreams/generation.ts'
import type { Constraint } from '../upstream.ts'
import { heldGrammar } from './held-grammar.ts'
import { encodePrompt } from './llama-server-request.ts'

const grammar = '%llguidance {}\nstart: "a"\n'
const constraint = (triggers: readonly string[], isText?: boolean): Constraint => ({
  type: 'lark',
  grammar: { grammar, triggers, preservedTokens: ['<call>'], stops: [], widened: [], ...(isText && { isText }) },
})
const request = (held: Constraint) => promptRequest('one two', { maxTokens: 5, stops: ['[end]'], constraint: held })

it('goes to vLLM as a grammar, and to SGLang as one that names llguidance', async () => {
  for (const [engine, fields] of [
    [vllm, { structured_outputs: { grammar } }],
    [sglang, { ebnf: grammar }],
  ] as const) {
    const { upstream, sent } = await startEngine(engine, {}, { grammars: 'lark' })
    expect(upstream.abilities.constraint).toBe('lark')
    await generated(upstream, request(constraint(['<call>'])))
    await generated(upstream, request(constraint([])))
    const [free, whole] = sent('/v1/completions').map(({ body }) => body)
    expect(free).toMatchObject({ ...fields, stop: ['[end]'] })
    // A grammar of all of the reply ends it: a stop could be in an argument.
    expect(whole).toMatchObject(fields)
    expect(whole).not.toHaveProperty('stop')
  }
})

it('goes to llama-server like GBNF, without stops if calls are held', () => {
  const encoded = (held: Constraint) => encodePrompt(request(held), 'one two', heldGrammar(held))
  expect(encoded(constraint(['<call>']))).toMatchObject({ grammar, preserved_tokens: ['<call>', '[end]'] })
  expect(encoded(constraint(['<call>']))).not.toHaveProperty('stop')
  expect(encoded(constraint([], true))).toMatchObject({ grammar, stop: ['[end]'] })
})
