// @ts-check
// Loads every entry, and makes a gateway, in a place where nothing may be drawn, timed, read or sent: a Worker refuses all of that while it loads.

/** @type {string[]} */
const done = []
/** @param {any} holder @param {string} name */
function watch(holder, name) {
  const original = holder?.[name]
  if (typeof original !== 'function') return () => {}
  holder[name] = (/** @type {unknown[]} */ ...given) => {
    done.push(name === 'getBuiltinModule' ? `${name}(${given[0]})` : name)
    return original.apply(holder, given)
  }
  return () => {
    holder[name] = original
  }
}

/** The work done while the entries were loaded and a gateway was made. */
export async function loadEntries() {
  const { crypto, process, performance } = /** @type {any} */ (globalThis)
  const restore = [
    watch(crypto, 'getRandomValues'),
    watch(crypto, 'randomUUID'),
    watch(Math, 'random'),
    ...['digest', 'sign', 'importKey'].map((name) => watch(crypto.subtle, name)),
    ...['setTimeout', 'setInterval', 'setImmediate', 'fetch'].map((name) => watch(globalThis, name)),
    watch(performance, 'now'),
    watch(process, 'getBuiltinModule'),
  ]
  try {
    await Promise.all([import('anycall'), import('anycall/ai-sdk'), import('anycall/templates')])
    const { createGateway } = await import('anycall/gateway')
    createGateway({
      keys: ['a-key-of-enough-letters'],
      upstreams: { local: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1' } },
      models: [{ match: '*', upstream: 'local' }],
    })
  } finally {
    for (const one of restore) one()
  }
  if (done.length > 0) throw new Error(`was done while loading: ${done.join(', ')}`)
}
