// @ts-check
// The grammars of whole replies: each is compiled, admits what is drawn from it at random, and refuses what lacks its end
// or has its reasoning left open.

const draws = 12
const person = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } }, required: ['age'] }
const demanded = { toolChoice: { type: 'required' }, parallelCalls: true }
const requests = /** @type {const} */ ([
  ['calls', demanded],
  ['calls with text before', { ...demanded, textBefore: true }],
  ['one call with text before', { ...demanded, textBefore: true, parallelCalls: false }],
  ['JSON', { toolChoice: { type: 'none' }, parallelCalls: true, responseSchema: person }],
  ['any JSON', { toolChoice: { type: 'none' }, parallelCalls: true, responseSchema: true }],
  ['JSON or calls', { toolChoice: { type: 'auto' }, parallelCalls: true, responseSchema: person }],
  ['no calls', { toolChoice: { type: 'none' }, parallelCalls: true }],
])
const states = /** @type {const} */ ([
  ['', {}],
  [', reasoning open', { isOpen: true }],
  [', reasoning off', { isOff: true }],
])

/**
 * @param {any} library what is checked
 * @param {any} llama
 * @param {string} name of the format
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
export async function checkReplies(library, llama, name, check) {
  const { printReplyGrammar, shapeOf, tools, manyTools, parseGbnf, derive, randomOf } = library
  const base = shapeOf(name)
  for (const [state, more] of states) {
    if (!base.reasoning && state !== '') continue
    const shape = { ...base, reasoning: base.reasoning && { ...base.reasoning, ...more } }
    for (const [kind, request] of requests) {
      const what = `${name}, ${kind}${state}`
      const many = printReplyGrammar(shape, { ...request, tools: manyTools })
      await check(`${what}, 24 tools: is compiled`, async () => {
        await llama.createGrammar({ grammar: many.grammar })
        return true
      })
      const printed = printReplyGrammar(shape, { ...request, tools })
      const parsed = parseGbnf(printed.grammar)
      const grammar = await llama.createGrammar({ grammar: printed.grammar }).catch(() => undefined)
      for (let seed = 1; grammar && seed <= draws; seed++) {
        const text = derive(parsed, randomOf(seed), 10 + 10 * seed)
        await check(`${what}: admits ${JSON.stringify(text)}`, () => grammar._testText(text))
      }
      if (!grammar || kind === 'no calls') continue
      await check(`${what}: does not admit nothing`, () => !grammar._testText(''))
      if (base.reasoning) {
        const text = `${base.reasoning.open}Hm.`
        await check(`${what}: does not admit ${text}`, () => !grammar._testText(text))
      }
    }
  }
}
