// @ts-check
// A program with the Claude Agent SDK and a tool of its own: the folder of packages, then the prompt. Prints the answer.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules = '', prompt = ''] = process.argv.slice(2)
const scope = join(modules, '@anthropic-ai')
const { createSdkMcpServer, query } = await import(pathToFileURL(join(scope, 'claude-agent-sdk/sdk.mjs')).href)
const platform = readdirSync(scope).find((name) => name === `claude-agent-sdk-${process.platform}-${process.arch}`)
if (platform === undefined) throw new Error(`no Claude Code for ${process.platform} ${process.arch} in ${scope}`)

const harbour = createSdkMcpServer({
  name: 'harbour',
  tools: [
    {
      name: 'tide',
      description: 'Tells the tide of a harbour.',
      inputSchema: {},
      handler: async () => ({
        content: [{ type: 'text', text: `tide-in-Bergen-${Math.floor(Math.random() * 10_000)}` }],
      }),
    },
  ],
})
for await (const message of query({
  prompt,
  options: {
    model: 'text-model',
    pathToClaudeCodeExecutable: join(scope, platform, 'claude'),
    allowedTools: ['Bash', 'Read', 'Write', 'Edit', 'ToolSearch', 'mcp__harbour__tide'],
    mcpServers: { harbour },
  },
})) {
  if (message.type === 'result') console.log(message.result ?? JSON.stringify(message))
}
