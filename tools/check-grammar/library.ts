/** The parts of the library that the check uses, bundled by it because no entry of the package has them. */
import * as fc from 'fast-check'
import type { JsonObject } from '../../src/conversation/index.ts'
import { jsonSchema } from '../../test/support/grammar/json-schemas.ts'

export { formats } from '../../src/dialects/formats/index.ts'
export { makeCallsGrammar, printReplyGrammar, printStructuralTag, writeCalls } from '../../src/grammar/index.ts'
export { analyzeTemplate, safeLoadTemplate, templateDialect } from '../../src/templates/index.ts'
export { derive, parseGbnf } from '../../test/support/grammar/gbnf.ts'
export { valueFor } from '../../test/support/grammar/json-schemas.ts'
export { randomOf } from '../../test/support/grammar/random.ts'
export { shapeOf } from '../../test/support/grammar/reply-shapes.ts'
export { calls, manyTools, needsFreeElements, oddTools, tools } from '../../test/support/grammar/tools.ts'

/** Schemas drawn at random; a seed draws the same again. */
export function drawSchemas(numRuns: number, seed: number): JsonObject[] {
  return fc.sample(jsonSchema, { numRuns, seed })
}
