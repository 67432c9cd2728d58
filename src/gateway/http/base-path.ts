import { AnycallError } from '../../conversation/index.ts'
import type { GatewayRequest } from './http.ts'

/** Returns the path that a request has after the base path; undefined for a path that does not begin with it. */
export function pathUnder(basePath: string, path: string): string | undefined {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** Returns the error for a path that does not begin with the base path. */
export function outside(basePath: string, { path }: GatewayRequest): AnycallError {
  return new AnycallError(
    'not-found',
    `There is nothing at ${path.slice(0, 200)}: the paths of this gateway begin with ${basePath} (basePath).`,
  )
}
