import type { ExchangeStart } from '../../records/index.ts'
import type { KeyHolder } from '../config/config.ts'
import type { GatewayRequest } from './http.ts'
import type { RequestLog } from './request-log.ts'

/** Returns what hooks and records learn of a request before it is read. `key`: the client's key, if it is a secret. */
export function startOf(
  { method, path, header, replay }: GatewayRequest,
  { requestId }: RequestLog,
  { holder, key }: { holder: KeyHolder | undefined; key: string | undefined },
): ExchangeStart {
  return {
    id: requestId,
    at: Date.now(),
    method,
    path,
    isReplay: replay !== undefined,
    header,
    ...(holder?.name !== undefined && { keyName: holder.name }),
    ...(key !== undefined && { key }),
  }
}
