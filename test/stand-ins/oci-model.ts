import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import { contentText, replyTo, type SeenChat, type SeenMessage, TokenLimit } from './obedient-chat.ts'
import { type Seen, toolOf } from './obedient-model.ts'
import { type OciReply, type OciServer, startOciServer } from './oci-server.ts'

/** A model for each format, with names that identify the format. */
export const ociModels = {
  generic: 'meta.obedient',
  cohere: 'cohere.obedient',
  'cohere-v2': 'cohere.command-a-reasoning-obedient',
} as const

export interface ObedientOci {
  server: OciServer
  /** The upstream in the gateway's configuration. */
  upstream: JsonObject
  close(): Promise<void>
}

/** OCI's inference with obedient models, and a profile whose key it accepts. */
export async function startObedientOci({ pieceDelayMs = 0 }: { pieceDelayMs?: number } = {}): Promise<ObedientOci> {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const folder = await mkdtemp(join(tmpdir(), 'anycall-oci-'))
  const [file, keyFile] = [join(folder, 'config'), join(folder, 'key.pem')]
  const lines = ['user=ocid1.user.oc1..u', 'fingerprint=aa:bb', 'tenancy=ocid1.tenancy.oc1..t', 'region=us-chicago-1']
  await writeFile(keyFile, keys.privateKey)
  await writeFile(file, ['[DEFAULT]', ...lines, `key_file=${keyFile}`, ''].join('\n'))
  const server = await startOciServer({
    publicKey: keys.publicKey,
    script: ({ chatRequest }) => ({ ...follow(isJsonObject(chatRequest) ? chatRequest : {}), delayMs: pieceDelayMs }),
  })
  return {
    server,
    upstream: {
      type: 'oci-generative-ai',
      compartment: 'ocid1.compartment.oc1..c',
      endpoint: server.url,
      auth: { file },
      models: Object.fromEntries(Object.values(ociModels).map((model) => [model, {}])),
    },
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the model's reply to a chat request in any of the formats. */
function follow(chat: JsonObject): Extract<OciReply, { type: 'reply' }> {
  const limit = new TokenLimit(chat.maxTokens ?? chat.maxCompletionTokens)
  const { text, calls } = replyTo(chat.apiFormat === 'COHERE' ? readCohere(chat) : readMessages(chat))
  const pieces = limit.take(text)
  const made = calls.filter(({ arguments: given }) => {
    limit.take(JSON.stringify(given))
    return !limit.isMet
  })
  return {
    type: 'reply',
    pieces,
    usage: { promptTokens: 40, completionTokens: limit.used, totalTokens: 40 + limit.used },
    ...(made.length > 0 && { calls: made.map(({ name, arguments: parameters }) => ({ name, parameters })) }),
    ...(limit.isMet && { finishReason: chat.apiFormat === 'GENERIC' ? 'length' : 'MAX_TOKENS' }),
  }
}

/** GENERIC and COHEREV2 have messages. */
function readMessages({ messages, tools, toolChoice, toolsChoice }: JsonObject): SeenChat {
  const offered = objects(tools).flatMap((tool) =>
    isJsonObject(tool.function) ? toolOf(tool) : toolOf({ function: tool }),
  )
  const { type, name }: JsonObject = isJsonObject(toolChoice) ? toolChoice : { type: toolsChoice ?? 'AUTO' }
  const callable = type === 'NONE' ? [] : offered.filter((tool) => type !== 'FUNCTION' || tool.name === name)
  return {
    messages: objects(messages).map(({ role, content }): SeenMessage => {
      const text = contentText(content)
      if (role === 'TOOL') return { role: 'user', text, results: [text] }
      return { role: role === 'SYSTEM' ? 'system' : role === 'ASSISTANT' ? 'assistant' : 'user', text }
    }),
    tools: offered.length === 0 ? undefined : callable,
    isForced: type === 'REQUIRED' || type === 'FUNCTION',
  }
}

/** COHERE has the last message outside of the history, and results with their calls. */
function readCohere({ preambleOverride, chatHistory, message, toolResults, tools }: JsonObject): SeenChat {
  const chat: SeenMessage[] = typeof preambleOverride === 'string' ? [{ role: 'system', text: preambleOverride }] : []
  for (const entry of objects(chatHistory)) {
    if (entry.role === 'TOOL') chat.push(resultsMessage(entry.toolResults))
    else chat.push({ role: entry.role === 'CHATBOT' ? 'assistant' : 'user', text: String(entry.message) })
  }
  chat.push(toolResults === undefined ? { role: 'user', text: String(message) } : resultsMessage(toolResults))
  const offered = objects(tools).map(({ name, parameterDefinitions }): Seen['tools'][number] => {
    const properties = isJsonObject(parameterDefinitions) ? parameterDefinitions : {}
    const required = Object.keys(properties).filter((key) => {
      const property = properties[key]
      return isJsonObject(property) && property.isRequired === true
    })
    return { name: String(name), parameters: { type: 'object', properties, required } }
  })
  return { messages: chat, tools: offered.length === 0 ? undefined : offered, isForced: false }
}

function resultsMessage(toolResults: unknown): SeenMessage {
  const outputs = objects(toolResults).flatMap((result) => objects(result.outputs))
  return { role: 'user', text: '', results: outputs.map((output) => String(Object.values(output)[0])) }
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
