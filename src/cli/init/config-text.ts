import type { FoundServer } from '../serve/discover.ts'
import { upstreamTypeOf } from '../serve/discover.ts'
import { preferredModel } from '../serve/model-rules.ts'
import type { HostedApi } from './hosted.ts'
import { isPlain, modelNameOf } from './model-files.ts'

/** The model servers, files and hosted APIs of a machine. */
export interface Findings {
  servers: readonly FoundServer[]
  files: readonly string[]
  hosted: readonly HostedApi[]
}

/** The number of models that a rule of a server names; a comment lists the others. */
const namedModels = 20

/** Returns a configuration for the servers, files and keys that were found, as YAML with comments. */
export function configText(findings: Findings): string {
  return [
    head,
    'upstreams:',
    ...blocks(upstreamsOf(findings)),
    '',
    '# The first rule that matches the model of a request applies; * matches any characters.',
    'models:',
    ...blocks(rulesOf(findings)),
    '',
    tail,
  ].join('\n')
}

const head = `# Configuration of anycall, made by "anycall init".
#   anycall config check FILE     says what it serves, or what is wrong with it
#   anycall serve --config FILE   runs the gateway; the file is read again when it changes
# All settings: docs/configuration.md of the package anycall.

listen:
  host: 127.0.0.1   # this machine only. An address that others can reach needs keys
  port: 8787

# Who may use the gateway. Make a key with "openssl rand -hex 24", and its digest with "anycall keys hash".
# keys:
#   - { name: team-a, sha256: DIGEST, limits: { requestsPerMinute: 60 } }

# At least 16 characters, the same on all copies of the gateway. Without it, a random one at each start.
# secret: \${ANYCALL_SECRET}
`

const tail = `# records: {}   # keeps exchanges for the inspector; "anycall serve --inspect" does it as well

log:
  level: info   # debug also logs prompts and replies
`

/** Lines of YAML, indented, with an empty line between blocks. */
function blocks(parts: readonly (readonly string[])[]): string[] {
  return parts.flatMap((lines, index) => [...(index === 0 ? [] : ['']), ...lines.map((line) => `  ${line}`)])
}

function upstreamsOf({ servers, files, hosted }: Findings): string[][] {
  const names = fileNames(files)
  const found = [
    ...servers.map(({ server, url, models }) => [
      `# ${server.name}: it has ${models.length} model${models.length === 1 ? '' : 's'}.`,
      `${server.id}:`,
      `  type: ${upstreamTypeOf(server)}`,
      `  url: ${url}`,
      ...(server.type === 'ollama'
        ? ['  contextLength: 32768   # with tools, the default of 4096 is soon used up']
        : []),
    ]),
    ...files.map((file) => [
      '# A model file, run in this process: npm install node-llama-cpp',
      `${names.get(file)}:`,
      '  type: gguf',
      `  file: ${JSON.stringify(`./${file}`)}`,
    ]),
    ...hosted.map(({ id, name, variable, type, url }) => [
      `# ${name}, as ${variable} is set.`,
      `${id}:`,
      `  type: ${type}`,
      `  url: ${url}`,
      `  key: \${${variable}}`,
    ]),
  ]
  return found.length > 0 ? found : [demo]
}

const demo = [
  '# No model server was found on this machine, no model file in this folder and no key in the environment.',
  '# This one is not a language model: it answers with a call of the tool that the user names. Replace it:',
  '#   local: { type: openai-chat, url: "http://127.0.0.1:8000/v1" }',
  'demo:',
  '  type: scripted',
]

function rulesOf(findings: Findings): string[][] {
  const { servers, files, hosted } = findings
  const names = fileNames(files)
  /** A second rule for the same name would never be used. */
  const taken = new Set<string>()
  const fresh = (models: readonly string[]): string[] => {
    const those = models.filter((model) => !taken.has(model))
    for (const model of those) taken.add(model)
    return those
  }
  const rules = [
    ...servers.flatMap(({ server, models }) => {
      const own = fresh(models.filter(isPlain))
      return own.length === 0 ? [] : [[rule(own.slice(0, namedModels), server.id), ...notNamed(own)]]
    }),
    ...files.flatMap((file) => {
      const own = fresh([modelNameOf(file)])
      return own.length === 0 ? [] : [[rule(own, names.get(file) ?? '')]]
    }),
    ...hosted.map(({ id, name, match }) =>
      match
        ? [rule(match, id)]
        : [`# ${name} has models of many names; name those that you use:`, `# ${rule(['MODEL'], id)}`],
    ),
  ]
  const [every] = catchAll(findings, names)
  const all = [...rules, ...(every ? [every] : [])]
  // Without a rule, models go by the names that upstreams list.
  return all.some((lines) => lines.some((line) => line.startsWith('-'))) ? all : [...all, ['[]']]
}

function rule(match: readonly string[], upstream: string): string {
  return `- { match: [${match.map((pattern) => JSON.stringify(pattern)).join(', ')}], upstream: ${upstream} }`
}

function notNamed(models: readonly string[]): string[] {
  const left = models.length - namedModels
  return left > 0 ? [`# and ${left} more, which can be added`] : []
}

/** Returns the rule for all other names: some clients send only fixed model names. It leads to a model of this machine. */
function catchAll(
  { servers: [server], files: [file], hosted }: Findings,
  names: ReadonlyMap<string, string>,
): string[][] {
  const why = '# Any other name, such as the models that Claude Code asks for:'
  const model = preferredModel(server?.models.filter(isPlain) ?? [])
  if (server && model !== undefined)
    return [[why, `- { match: ["*"], upstream: ${server.server.id}, model: ${JSON.stringify(model)} }`]]
  if (file) return [[why, rule(['*'], names.get(file) ?? '')]]
  return hosted.length === 0 && !server ? [[why, rule(['*'], 'demo')]] : []
}

/** Returns the names of files as upstreams: letters and digits, none of them twice. */
function fileNames(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.map((file, index) => [file, index === 0 ? 'file' : `file-${index + 1}`]))
}
