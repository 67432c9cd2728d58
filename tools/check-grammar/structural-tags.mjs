// @ts-check
// The structural tags of all formats and of chat templates, in real xgrammar: each is taken, admits calls as they are written, and refuses half of one.
import {
  conversation,
  endings,
  isReasoningOpen,
  openTemplates,
  startsOf,
  calls as templateCalls,
} from './templates.mjs'

/** An engine is sent a tag with each request, and makes an automaton of it: more than this would take it seconds. */
const longestTag = 800_000
/** True for a call whose arguments are in the order of their schemas: an engine's own JSON admits no other. */
const isOrdered = (/** @type {any} */ { name, arguments: json }, /** @type {any[]} */ tools) =>
  isInOrder(JSON.parse(json), tools.find((tool) => tool.name === name)?.schema)

/** @param {any} value @param {any} schema @returns {boolean} */
function isInOrder(value, schema) {
  if (Array.isArray(value)) return value.every((one) => isInOrder(one, schema?.items))
  if (typeof value !== 'object' || value === null) return true
  const keys = Object.keys(schema?.properties ?? {})
  const places = Object.keys(value).map((key) => keys.indexOf(key))
  const areSorted = places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] ?? 0)))
  return areSorted && Object.entries(value).every(([key, one]) => isInOrder(one, schema.properties[key]))
}

/**
 * @param {any} library what is checked
 * @param {import('./xgrammar.mjs').Xgrammar} xgrammar
 * @param {{ folders: readonly string[], only: string | undefined }} which
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
export async function checkStructuralTags(library, xgrammar, which, check) {
  const { formats, printStructuralTag, writeCalls, calls, tools, manyTools, oddTools } = library
  for (const format of formats) {
    if (which.only !== undefined && format.name !== which.only) continue
    const [{ tree }] = format.blocks
    const base = { parallelCalls: true, ...(format.separator !== undefined && { separator: format.separator }) }
    const written = calls
      .filter((/** @type {any} */ call) => isOrdered(call, tools))
      .map((/** @type {any} */ call) => ({ name: call.name, texts: [writeCalls(tree, [call], tools, base)] }))
    for (const [choice, request] of choices) {
      const tag = printStructuralTag(tree, { ...base, ...request, tools })
      await checkTag(xgrammar, { what: `${format.name}, ${choice}`, tag, written, ...request }, check)
    }
    // xgrammar's own JSON takes no key with a quote in it.
    const odd = oddTools.filter(
      (/** @type {any} */ { schema }) => !Object.keys(schema.properties ?? {}).some((key) => key.includes('"')),
    )
    const sets = [['24 tools', manyTools], ['odd tools', odd], ...[...tools, ...odd].map((one) => [one.name, [one]])]
    for (const [what, some] of sets) {
      const tag = printStructuralTag(tree, { ...base, tools: some, toolChoice: { type: 'auto' } })
      await checkTag(
        xgrammar,
        { what: `${format.name}, ${what}`, tag, written: [], toolChoice: { type: 'auto' } },
        check,
      )
    }
  }
  for (const { name, dialect } of openTemplates(library, which)) {
    const prompt = dialect?.safeRenderPrompt(conversation(tools.slice(0, 2), false))
    await check(`${name}: renders a prompt`, () => prompt?.type === 'prompt')
    if (prompt?.type !== 'prompt') continue
    const written = writtenBy(dialect, prompt.begun, tools)
    await check(`${name}: writes calls`, () => written.length > 2)
    for (const [choice, request] of choices) {
      const tag = dialect.structuralTag({
        ...request,
        parallelCalls: true,
        tools,
        begun: prompt.begun,
        reasoning: false,
      })
      await checkTag(xgrammar, { what: `${name}, ${choice}`, tag, written, ...request }, check)
    }
  }
}

/**
 * Calls as a template writes them, after the part that its prompt has begun and closed reasoning.
 * @param {any} dialect @param {string} begun @param {any[]} tools
 */
function writtenBy(dialect, begun, tools) {
  const { frame, calls, reasoning } = dialect.analysis
  const request = { toolChoice: { type: 'auto' }, parallelCalls: true, tools, begun, reasoning: false }
  const { triggers = [] } = dialect.grammar(request) ?? {}
  const before = isReasoningOpen(reasoning, begun) ? reasoning.close : ''
  const ends = [calls?.layout.section.close ?? '', ...frame.ends]
  return templateCalls.flatMap((call) => {
    if (!isOrdered(call, tools)) return []
    const own = tools.filter(({ name }) => name === call.name)
    const reply = dialect.renderReply([{ type: 'call', id: 'call_0', ...call }], own)
    if (!reply?.includes(call.name)) return []
    // White space within JSON is the writer's own.
    const ours = dialect.renderAssistant([{ type: 'call', id: 'call_0', ...call }], { trigger: '' }, own)
    const texts = [reply, ours]
      .flatMap((one) => startsOf(triggers, one))
      .flatMap((text) => endings(before + text, ends))
    return texts.length > 0 ? [{ name: call.name, texts }] : []
  })
}

const choices = /** @type {const} */ ([
  ['required', { toolChoice: { type: 'required' } }],
  ['named', { toolChoice: { type: 'named', name: 'edit' } }],
  ['auto', { toolChoice: { type: 'auto' } }],
])

/**
 * @param {import('./xgrammar.mjs').Xgrammar} xgrammar
 * @param {{ what: string, tag: any, written: readonly { name: string, texts: readonly string[] }[], toolChoice: { type: string, name?: string } }} one
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
async function checkTag(xgrammar, { what, tag, written, toolChoice }, check) {
  await check(`${what}: there is a structural tag`, () => tag !== undefined)
  if (!tag) return
  const { length } = JSON.stringify(tag.tag)
  await check(`${what}: the tag has ${length} characters`, () => length < longestTag)
  /** @type {import('./xgrammar.mjs').Compiled | undefined} */
  let compiled
  await check(`${what}: is taken`, async () => {
    compiled = await xgrammar.compile(tag.tag)
    return true
  })
  if (!compiled) return
  const { admits } = compiled
  for (const { name, texts } of written) {
    if (toolChoice.type === 'named' && toolChoice.name !== name) continue
    const [text = ''] = texts
    await check(`${what}: admits ${text}`, async () => {
      for (const one of texts) if (await admits(one)) return true
      return false
    })
    // If text is allowed, a part of a call is admitted as text.
    if (toolChoice.type === 'auto') continue
    await check(`${what}: does not admit half of ${text}`, async () => !(await admits(text.slice(0, text.length / 2))))
  }
  compiled.dispose()
}
