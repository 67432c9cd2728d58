/** What the check needs of the library, bundled by it as no entry of the package has it. */
export { formats } from '../src/dialects/formats/index.ts'
export { printGbnf, printReplyGrammar, printStructuralTag, writeCalls } from '../src/grammar/index.ts'
export { derive, parseGbnf } from '../src/grammar/test-gbnf.ts'
export { randomOf } from '../src/grammar/test-random.ts'
export { shapeOf } from '../src/grammar/test-reply-shapes.ts'
export { calls, manyTools, needsFreeElements, oddTools, tools } from '../src/grammar/test-tools.ts'
export { analyzeTemplate, loadTemplate, templateDialect } from '../src/templates/index.ts'
