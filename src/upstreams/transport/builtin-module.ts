import { AnycallError } from '../../conversation/index.ts'

/** Node's own modules that anycall uses. */
interface BuiltinModules {
  'node:crypto': typeof import('node:crypto')
  'node:fs': typeof import('node:fs')
  'node:fs/promises': typeof import('node:fs/promises')
  'node:http': typeof import('node:http')
  'node:module': typeof import('node:module')
  'node:os': typeof import('node:os')
  'node:perf_hooks': typeof import('node:perf_hooks')
  'node:stream': typeof import('node:stream')
  'node:url': typeof import('node:url')
  'node:worker_threads': typeof import('node:worker_threads')
  'node:zlib': typeof import('node:zlib')
}

/**
 * Returns one of Node's own modules. Undefined if the runtime does not have it: Node, Deno and Bun have all, Workers
 * some, with `nodejs_compat`. An `import` would prevent the whole file from loading elsewhere, and fail in bundlers.
 */
export function builtinModule<Name extends keyof BuiltinModules>(name: Name): BuiltinModules[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(name)
}

/** The same for a required module: the AnycallError names the feature `what`. */
export function neededModule<Name extends keyof BuiltinModules>(name: Name, what: string): BuiltinModules[Name] {
  const module = builtinModule(name)
  if (module) return module
  throw new AnycallError(
    'internal',
    `${what} needs ${name}, which this runtime does not have. Run it on Node, Deno or Bun.`,
  )
}
