/**
 * The parts of the library that the end-to-end test runs, bundled by it: it must run without a build of the package.
 */
export {
  createNodeGateway as createGateway,
  createNodeUpstreams as createUpstreams,
  parseConfig,
} from '../../src/gateway/index.ts'
export { analyzeTemplate, safeLoadTemplate, templateDialect } from '../../src/templates/index.ts'
export { schemaFault } from '../support/grammar/schema.ts'
export { writeGguf } from './write-gguf.ts'
