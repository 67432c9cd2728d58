// @ts-check
/**
 * Shows that a process does not grow: `npm run bench:memory [-- --templates 4000 --lists 30000 --seed N --strict | --count]`, or `node --expose-gc tools/bench/memory.mjs`
 * with the library as it was built. Chat templates drawn at random, none seen before, are analysed one after the other, and each reads a reply and prints a
 * grammar; then the same is done with lists of tools in the dialect of one template, and with a third as many through a gateway, which reads with the
 * universal reader and remembers the lists that it knows.
 *
 * Forty times in each part, ten times with `--count`, it prints what is left after collections: the objects, the heap without the code space, the code space
 * (where compiled expressions are) and the memory of the process. The slope is that over the last third, in objects or kB for each template or list, with
 * twice its standard error. Before that the caches fill, which takes some 2400 templates. With `--strict` it ends with 1 if a slope is over its limit by
 * more than that error; with `--count` only the objects are judged, whose number depends on no machine. They alone can be judged in a short run, in which the
 * engine is still compiling.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import v8 from 'node:v8'
import fc from 'fast-check'
import { parseToolCalls } from '../../dist/index.mjs'
import { createGateway, createUpstreams, parseConfig } from '../../dist/node.mjs'
import { analyzeTemplate, safeLoadTemplate, templateDialect } from '../../dist/templates.mjs'
import { drawnTemplate } from '../conformance/drawn/template.mjs'

/** @import { Tool } from '../../src/index.ts' */
/** @import { TemplateDialect } from '../../src/templates/index.ts' */
/** @typedef {{ objects: number, heap: number, code: number, rss: number }} Sample objects, and bytes */

const { values } = parseArgs({
  options: {
    templates: { type: 'string', default: '4000' },
    lists: { type: 'string', default: '30000' },
    seed: { type: 'string' },
    strict: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
  },
})
const [templates, lists] = [Number(values.templates), Number(values.lists)]
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
/** Counting objects takes a separate collection. */
const samples = values.count ? 10 : 40
/**
 * Collections before a sample. The engine returns memory to the system bit by bit: after two of them the memory of the process varies by 100 MB, after a dozen
 * by 5.
 */
const collections = values.count ? 2 : 12
/**
 * Objects and kB for each. A template that is held costs 1900 objects, 500 kB in the heap and 500 of code, a list of tools some 20 kB. Automata of markers that
 * were not seen before are kept up to 9000 states, of which each template adds eight: until then each adds some 100 objects. Expressions are kept compiled up
 * to a million characters of source, whose code varies by 3 MB.
 */
const usualLimits = { objects: 5, heap: 2, code: 0.5, rss: 5 }
/** A template that is held has about 1,900 objects; the caches that fill in the first hundred take up to 400 a template. */
const templateLimits = { objects: 1000, heap: 2, code: 0.5, rss: 5 }
/** The analyses that are kept by their template's text, and the one that is in use. */
const mostDialects = 64 + 1
const judged = /** @type {readonly (keyof Sample)[]} */ (
  values.count ? ['objects'] : ['objects', 'heap', 'code', 'rss']
)

const parts = /** @type {const} */ ([
  { type: 'text', text: 'I will look.' },
  { type: 'call', id: 'call00001', name: 'zq_edit', arguments: '{"path":"a.txt","line":1}' },
])

/** @param {number} index a list that no other is like, of one to eight tools */
function toolsOf(index) {
  return Array.from({ length: 1 + (index % 8) }, (_, at) => ({
    name: at === 0 ? 'zq_edit' : `zq_tool_${index}_${at}`,
    description: `Tool ${at} of list ${index}.`,
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        line: { type: 'integer' },
        [`own_${index}`]: { enum: ['a', `b${index}`] },
      },
      required: ['path'],
    },
  }))
}

/**
 * @param {TemplateDialect} dialect
 * @param {Tool[]} tools
 */
function use(dialect, tools) {
  const written = dialect.renderReply(parts, tools) ?? ''
  dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  const { calls } = parseToolCalls(written, { dialect, tools })
  if (calls[0]?.name !== 'zq_edit') throw new Error(`The call was not read: ${written}`)
}

/** @param {string} source */
function dialectOf(source) {
  const loaded = safeLoadTemplate(source)
  if (loaded.type === 'error') throw new Error(loaded.message)
  return templateDialect(analyzeTemplate(loaded.template))
}

const reply = '<TOOL_CALL>\n{"name": "zq_edit", "input": {"path": "a.txt"}}\n</TOOL_CALL>'

/**
 * A server that always writes one call.
 * @returns {Promise<{ url: string, close: () => void }>}
 */
async function startModel() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const choices = [{ index: 0, message: { role: 'assistant', content: reply }, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/v1`, close: () => void server.close() }
}

/** @param {string} url of a model's server */
function gatewayBefore(url) {
  const config = parseConfig(
    {
      upstreams: { model: { type: 'openai-chat', url } },
      models: [{ match: '*', upstream: 'model', plan: 'prompted', dialect: 'universal' }],
    },
    { file: 'bench', env: {} },
  )
  return createGateway({ config, upstreams: createUpstreams(config) })
}

/**
 * @param {ReturnType<typeof gatewayBefore>} gateway
 * @param {Tool[]} tools
 */
async function ask(gateway, tools) {
  const offered = tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }))
  const answer = await gateway.fetch(
    new Request('http://127.0.0.1/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Go.' }], tools: offered }),
    }),
  )
  const text = await answer.text()
  if (!text.includes('"zq_edit"')) throw new Error(`The gateway answered ${answer.status}: ${text}`)
}

/** @returns {Sample} after a collection */
function sample() {
  for (let round = 0; round < collections; round++) globalThis.gc?.()
  const spaces = v8.getHeapSpaceStatistics().filter(({ space_name }) => space_name.includes('code'))
  const { heapUsed, rss } = process.memoryUsage()
  const code = spaces.reduce((sum, space) => sum + space.space_used_size, 0)
  return { objects: v8.queryObjects(Object, { format: 'count' }), heap: heapUsed - code, code, rss }
}

/**
 * Repeats an operation, and shows the memory that is in use afterwards.
 * @param {string} name
 * @param {number} count
 * @param {(index: number) => void | Promise<void>} work
 * @param {Partial<Record<keyof Sample, number>>} [limits] for each
 */
async function soak(name, count, work, limits = usualLimits) {
  if (count === 0) return
  console.log(`\n${name.padEnd(36)}   objects   heap MB   code MB    rss MB`)
  const every = Math.max(1, Math.floor(count / samples))
  /** @type {(Sample & { at: number })[]} */
  const all = []
  for (let index = 1; index <= count; index++) {
    await work(index)
    if (index % every !== 0) continue
    // Weak references keep their targets until the task is over.
    await new Promise((resolve) => setImmediate(resolve))
    const now = sample()
    all.push({ ...now, at: index })
    const objects = String(now.objects).padStart(9)
    console.log([String(index).padStart(36), objects, ...[now.heap, now.code, now.rss].map(megabytes)].join(' '))
  }
  const later = all.slice(Math.floor((2 * all.length) / 3))
  const slopes = /** @type {const} */ (['objects', 'heap', 'code', 'rss']).map((what) => {
    const unit = what === 'objects' ? 1 : 1000
    const { slope, error } = slopeOf(later.map((one) => [one.at, one[what] / unit]))
    const isOver = judged.includes(what) && slope - 2 * error > (limits[what] ?? Number.POSITIVE_INFINITY)
    if (isOver) failed = true
    const limit = limits[what] === undefined ? '' : ` (limit ${limits[what]}${isOver ? ', OVER' : ''})`
    return `${what} ${slope.toFixed(3)} ± ${(2 * error).toFixed(3)}${unit === 1 ? '' : ' kB'}${limit}`
  })
  console.log(`slope of ${name}, for each: ${slopes.join(', ')}`)
}

let failed = false

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1).padStart(9)
}

/**
 * By least squares, with its standard error.
 * @param {readonly [x: number, y: number][]} points
 */
function slopeOf(points) {
  const mean = (/** @type {0 | 1} */ which) => points.reduce((sum, point) => sum + point[which], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  if (below === 0) return { slope: 0, error: 0 }
  const slope = above / below
  const rest = points.reduce((sum, point) => sum + (point[1] - y - slope * (point[0] - x)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / Math.max(1, points.length - 2) / below) }
}

if (!globalThis.gc) throw new Error('Start it with --expose-gc.')
console.log(`seed ${seed}; node ${process.version}`)
const drawn = fc.sample(drawnTemplate, { numRuns: templates, seed })
const [sameTools, sameDialect] = [toolsOf(0), dialectOf(fc.sample(drawnTemplate, { numRuns: 1, seed })[0] ?? '')]
/** @type {WeakRef<TemplateDialect>[]} */
const dialects = []
await soak(
  'templates',
  templates,
  (index) => {
    const dialect = dialectOf(drawn[index - 1] ?? '')
    dialects.push(new WeakRef(dialect))
    use(dialect, sameTools)
  },
  templateLimits,
)
await new Promise((resolve) => setImmediate(resolve))
globalThis.gc?.()
const alive = dialects.filter((one) => one.deref() !== undefined).length
if (alive > mostDialects) failed = true
console.log(`dialects in memory: ${alive} of ${dialects.length} (limit ${mostDialects})`)
/** @type {unknown[]} */
const held = []
await soak(
  'templates that are held',
  // For these only the code is judged.
  values.count ? 0 : Math.floor(templates / 10),
  (index) => {
    const dialect = dialectOf(`{# held #}${drawn[index - 1] ?? ''}`)
    held.push(dialect)
    use(dialect, sameTools)
  },
  // The heap is their owner's.
  { code: 50 },
)
held.length = 0
await soak('lists of tools', lists, (index) => use(sameDialect, toolsOf(index)))
const model = await startModel()
const gateway = gatewayBefore(model.url)
await soak('lists of tools through a gateway', Math.floor(lists / 3), (index) => ask(gateway, toolsOf(index)), {
  ...usualLimits,
  // A list that is kept has about 900; the gateway's counts of its requests vary by hundreds.
  objects: 100,
})
await gateway.close()
model.close()
console.log(failed ? '\nIt grows.' : '\nIt does not grow.')
if (failed && (values.strict || values.count)) process.exitCode = 1
