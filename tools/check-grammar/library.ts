/** The parts of the library that the check uses, bundled by it because no entry of the package has them. */
export { formats } from '../../src/dialects/formats/index.ts'
export { printGbnf, printReplyGrammar, printStructuralTag, writeCalls } from '../../src/grammar/index.ts'
export { analyzeTemplate, loadTemplate, templateDialect } from '../../src/templates/index.ts'
export { derive, parseGbnf } from '../../test/support/grammar/gbnf.ts'
export { randomOf } from '../../test/support/grammar/random.ts'
export { shapeOf } from '../../test/support/grammar/reply-shapes.ts'
export { calls, manyTools, needsFreeElements, oddTools, tools } from '../../test/support/grammar/tools.ts'
