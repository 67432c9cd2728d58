import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { GatewayConfig, OciAuthConfig, UpstreamConfig } from '../../gateway/index.ts'

/** Resolves the files that a configuration names from the folder of the configuration, not from the current folder. */
export function withNamedFiles(config: GatewayConfig, configFile: string): GatewayConfig {
  const find = (file: string): string => findFile(dirname(configFile), file)
  const upstreams = Object.entries(config.upstreams).map(([name, upstream]): [string, UpstreamConfig] => [
    name,
    upstream.type === 'gguf'
      ? { ...upstream, file: find(upstream.file) }
      : upstream.type === 'oci-generative-ai'
        ? { ...upstream, auth: withFiles(upstream.auth, find) }
        : upstream,
  ])
  const models = config.models.map((rule) =>
    rule.template === undefined || isUrl(rule.template) ? rule : { ...rule, template: find(rule.template) },
  )
  const { records } = config
  return {
    ...config,
    upstreams: Object.fromEntries(upstreams),
    models,
    ...(records && { records: { ...records, ...(records.file !== undefined && { file: find(records.file) }) } }),
  }
}

function withFiles(auth: OciAuthConfig, find: (file: string) => string): OciAuthConfig {
  const { file, tokenFile, certificateFile } = auth
  return {
    ...auth,
    ...(file !== undefined && { file: find(file) }),
    ...(tokenFile !== undefined && { tokenFile: find(tokenFile) }),
    ...(certificateFile !== undefined && { certificateFile: find(certificateFile) }),
  }
}

/** Resolves a path as a shell would, including `~/`. */
function findFile(folder: string, file: string): string {
  return file.startsWith('~/') ? join(homedir(), file.slice(2)) : resolve(folder, file)
}

/** True for the address of a server instead of a file. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}
