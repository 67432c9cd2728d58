// @ts-check
// An MCP server on standard input and output, with a tool that only a search finds.
import { createInterface } from 'node:readline'

const tide = {
  name: 'tide',
  description: 'Tells the tide of a harbour.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

/** @type {Record<string, (params: any) => object>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'harbour', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tide] }),
  'tools/call': ({ arguments: given }) => ({
    content: [{ type: 'text', text: `tide-in-${given.place}-${Math.floor(Math.random() * 10_000)}` }],
  }),
  ping: () => ({}),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  // A notification has no id, and wants no answer.
  if (id === undefined) continue
  const result = methods[method]?.(params ?? {})
  const error = { code: -32601, message: `There is no method ${method} here.` }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`)
}
