import { newId } from '../../conversation/index.ts'
import { type GatewayConfig, parseConfig } from '../../gateway/index.ts'
import { reachable } from '../io/address.ts'

/** A configuration with records, and the admin key that was made for it. */
interface Inspected {
  config: GatewayConfig
  ownKey?: string
}

/**
 * Returns the configuration with records: those of the configuration, else all exchanges in memory. A gateway with keys gets a new
 * admin key if it has none, or `keptKey`.
 */
export function withInspector(config: GatewayConfig, keptKey?: string): Inspected {
  const records = config.records ?? parseConfig({ records: {} }, { env: {} }).records
  if (!records) return { config }
  const needsKey = records.adminKey === undefined && (config.keys === 'pass-through' || config.keys.length > 0)
  if (!needsKey) return { config: { ...config, records } }
  const ownKey = keptKey ?? newId('admin_')
  return { config: { ...config, records: { ...records, adminKey: ownKey } }, ownKey }
}

/** Returns the line that names the address of the inspector. A key that was configured is not in it. */
export function inspectorNote(url: string, ownKey: string | undefined): string {
  return `Inspector: ${reachable(url)}/inspector/${ownKey === undefined ? '' : `#key=${ownKey}`}`
}
