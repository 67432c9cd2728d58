/** What the end-to-end test needs beside the package's entries, bundled by it. */
export { schemaFault } from '../../src/grammar/test-schema.ts'
export { analyzeTemplate, loadTemplate, templateDialect } from '../../src/templates/index.ts'
export { createGgufUpstream } from '../../src/upstreams/gguf.ts'
export { writeGguf } from './write-gguf.ts'
