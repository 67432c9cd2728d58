// @ts-check
import { fileURLToPath } from 'node:url'
import { findAll } from '../../played/texts.mjs'
import { claudeEnv, claudeTools } from './claude-code.mjs'

/** @type {import('./client.mjs').Client} */
export const claudeAgentSdk = {
  id: 'claude-agent-sdk',
  name: 'Claude Agent SDK',
  package: '@anthropic-ai/claude-agent-sdk',
  version: '0.3.331',
  program: { file: fileURLToPath(new URL('claude-agent-sdk-program.mjs', import.meta.url)) },
  modes: [
    {
      protocol: 'Messages',
      returnsReasoning: true,
      setup: ({ url, prompt, modules }) => ({ args: [modules, prompt], env: claudeEnv(url) }),
      tools: claudeTools,
      folder: ({ cwd }) => cwd,
      extras: [
        {
          name: 'MCP tool by search',
          steps: [
            { says: ({ calls }) => calls({ name: 'ToolSearch', input: { query: 'select:mcp__harbour__tide' } }) },
            { says: ({ calls }) => calls({ name: 'mcp__harbour__tide', input: { place: 'Bergen' } }) },
            { says: ({ last }) => `It is ${findAll(last, [/tide-in-Bergen-\d+/])}.` },
          ],
        },
      ],
    },
  ],
}
