/** What the check needs of the library, bundled by it as no entry of the package has it. */
export { formats } from '../src/dialects/formats/index.ts'
export { printGbnf, writeCalls } from '../src/grammar/index.ts'
export { calls, manyTools, needsFreeElements, oddTools, tools } from '../src/grammar/test-tools.ts'
