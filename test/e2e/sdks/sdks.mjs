// @ts-check
import * as aiSdk from './clients/ai-sdk.mjs'
import * as anthropic from './clients/anthropic.mjs'
import * as google from './clients/google.mjs'
import * as langchain from './clients/langchain.mjs'
import * as llamaindex from './clients/llamaindex.mjs'
import * as mastra from './clients/mastra.mjs'
import * as ollama from './clients/ollama.mjs'
import * as openai from './clients/openai.mjs'
import * as agents from './clients/openai-agents.mjs'

/**
 * An SDK.
 * @typedef {object} Sdk
 * @property {string} name of its folder, and after `--sdk`
 * @property {string} title
 * @property {string} main the package whose version is shown
 * @property {Readonly<Record<string, string>>} packages pinned: an SDK changes from release to release, and a test must not fail without a change here
 * @property {(load: (name: string) => Promise<any>) => Promise<import('./checks.mjs').Mode[]>} modes `load` imports one of its packages
 */

/** @type {readonly Sdk[]} */
export const sdks = [
  { name: 'openai', title: 'openai', main: 'openai', ...openai },
  { name: 'anthropic', title: '@anthropic-ai/sdk', main: '@anthropic-ai/sdk', ...anthropic },
  { name: 'google', title: '@google/genai', main: '@google/genai', ...google },
  { name: 'ollama', title: 'ollama', main: 'ollama', ...ollama },
  { name: 'ai-sdk-6', title: 'AI SDK 6', main: 'ai', modes: aiSdk.modes, packages: aiSdk.packages[6] },
  { name: 'ai-sdk-7', title: 'AI SDK 7', main: 'ai', modes: aiSdk.modes, packages: aiSdk.packages[7] },
  { name: 'openai-agents', title: '@openai/agents', main: '@openai/agents', ...agents },
  { name: 'langchain', title: 'LangChain', main: 'langchain', ...langchain },
  { name: 'mastra', title: 'Mastra', main: '@mastra/core', ...mastra },
  { name: 'llamaindex', title: 'LlamaIndex', main: 'llamaindex', ...llamaindex },
]
