// @ts-check
// Grammars of response schemas, matched by real llama.cpp and by the project's own matcher, which scores schemas: both must say the same of
// each text. The schemas are drawn as the tests draw them, with values for them and with the same texts broken.
import { parseGbnf } from '../conformance/grammar/gbnf-grammar.mjs'
import { matchGbnf } from '../conformance/grammar/gbnf-matcher.mjs'

/** A template without calls and reasoning. */
const plainTemplate = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>'
const schemas = 150
const valuesOfOne = 4
/** The changes that break a text. */
const breaks = /** @type {((text: string) => string)[]} */ ([
  (text) => text.slice(0, -1),
  (text) => `${text},`,
  (text) => text.replace(/"/, "'"),
  (text) => text.replace(/\d/, 'x'),
  (text) => text.replace(/:/, '::'),
  (text) => text.replace(/[a-z]/, 'Z'),
  (text) => text.replace('<', '<|end|>'),
])

/**
 * @param {any} library what is checked
 * @param {any} llama
 * @param {{ seed: number }} drawing
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 * @returns {Promise<number>} how many texts both have judged
 */
export async function checkSchemas(library, llama, { seed }, check) {
  const loaded = library.safeLoadTemplate(plainTemplate, {})
  const dialect = library.templateDialect(library.analyzeTemplate(loaded.template))
  let judged = 0
  for (const [at, schema] of library.drawSchemas(schemas, seed).entries()) {
    const request = { tools: [], toolChoice: { type: 'none' }, parallelCalls: false, responseSchema: schema }
    const { grammar: text } = dialect.grammar(request)
    const what = `schema ${JSON.stringify(schema)}`
    let grammar
    await check(`${what}: is compiled`, async () => {
      grammar = await llama.createGrammar({ grammar: text })
      return true
    })
    if (!grammar) continue
    const rules = parseGbnf(text)
    const random = library.randomOf(seed + at)
    for (let value = 0; value < valuesOfOne; value++) {
      const json = JSON.stringify(library.valueFor(schema, schema, random))
      for (const one of new Set([
        json,
        JSON.stringify(JSON.parse(json), null, 2),
        ...breaks.map((change) => change(json)),
      ])) {
        judged++
        await check(`${what}: llama.cpp and the own matcher say the same of ${one}`, () => {
          return /** @type {any} */ (grammar)._testText(one) === matchGbnf(rules, one).isWhole
        })
      }
    }
  }
  return judged
}
