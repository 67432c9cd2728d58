import { expect, test } from 'vitest'
import { AnycallError } from '../conversation/index.ts'
import * as entry from '../templates.ts'

const {
  LoadError,
  RenderError,
  loadGgufTemplate,
  loadTemplate,
  renderTemplate,
  safeLoadGgufTemplate,
  safeLoadTemplate,
  safeRenderTemplate,
} = entry

const refusing = "{{ raise_exception('no') }}"
const nothing = async () => new Uint8Array()

function messageOf(error: unknown): string {
  if (!AnycallError.isInstance(error)) throw error
  return error.message
}

test('a template is loaded and rendered', () => {
  const { text } = renderTemplate(loadTemplate('{{ messages[0].content }}!'), { messages: [{ content: 'Hi' }] })
  expect(text).toBe('Hi!')
})

test('errors of loading are thrown, and returned by the safe function', async () => {
  const safe = safeLoadTemplate('{% if %}')
  expect(safe).toMatchObject({ type: 'error', line: 1 })
  expect(() => loadTemplate('{% if %}')).toThrow(
    expect.objectContaining({ code: 'invalid-request', message: expect.stringMatching(/ \(line 1\)$/) }),
  )
  const gguf = await safeLoadGgufTemplate(nothing)
  const thrown = await loadGgufTemplate(nothing).catch(messageOf)
  expect(gguf).toMatchObject({ type: 'error', code: 'invalid-request', message: thrown })
})

test('errors of rendering are thrown, and returned by the safe function', () => {
  const template = loadTemplate(refusing)
  expect(safeRenderTemplate(template, { messages: [] })).toMatchObject({ type: 'error', reason: 'refused' })
  expect(() => renderTemplate(template, { messages: [] })).toThrow(/^the template cannot be rendered: no/)
})

test.each<[string, () => unknown, () => unknown, typeof LoadError | typeof RenderError]>([
  ['loading', () => safeLoadTemplate('a\n{% if %}'), () => loadTemplate('a\n{% if %}'), LoadError],
  [
    'rendering',
    () => safeRenderTemplate(loadTemplate(refusing), { messages: [] }),
    () => renderTemplate(loadTemplate(refusing), { messages: [] }),
    RenderError,
  ],
])('an error of %s is the same, thrown and returned', (_, returning, throwing, kind) => {
  const returned = returning()
  let thrown: unknown
  try {
    throwing()
  } catch (error) {
    thrown = error
  }
  expect(kind.isInstance(returned)).toBe(true)
  expect(AnycallError.isInstance(returned)).toBe(true)
  expect(kind.isInstance(thrown)).toBe(true)
  expect(thrown).toEqual(returned)
  for (const other of [LoadError, RenderError]) if (other !== kind) expect(other.isInstance(thrown)).toBe(false)
})
