// @ts-check
import assert from 'node:assert/strict'
import { expectCount, expectText } from '../expect.mjs'

/**
 * Asks for a reply of a plan, and shows the exchange with its facts.
 *
 * @param {import('./index.mjs').CheckTools} tools @param {{ model: string, play: string, plan: string }} wanted
 */
async function shown({ page, gateway, show }, { model, play, plan }) {
  const { id, text } = await gateway.ask(`Ask for [${play}].`, { model })
  assert.match(await text, /get_weather/)
  await show(`exchanges/${id}`)
  await expectText(page.locator('.facts'), plan)
  return id
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function nativePlan(tools) {
  const { page, show, picture } = tools
  const id = await shown(tools, { model: 'native', play: 'native', plan: 'native' })
  await expectText(page.locator('.tab-panel'), 'Call that the upstream made: get_weather')
  await expectText(page.getByRole('group', { name: 'Arguments of get_weather' }), '{"city": "Oslo"}')
  await picture('plan-native')
  await show(`exchanges/${id}/prompt`)
  await expectText(page.locator('.prompt-parts'), 'tools')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function promptedPlan(tools) {
  const { page, show } = tools
  const id = await shown(tools, { model: 'qwen', play: 'call', plan: 'prompted' })
  await expectText(page.locator('.facts'), 'hermes')
  await show(`exchanges/${id}/prompt`)
  await expectText(page.locator('.prompt-parts'), '<tool_call>')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function templatedPlan(tools) {
  const { page, show, picture } = tools
  const id = await shown(tools, { model: 'templated', play: 'call', plan: 'templated' })
  await show(`exchanges/${id}/prompt`)
  await expectText(page.locator('.prompt-parts'), '<|im_start|>assistant')
  await show(`exchanges/${id}/grammar`)
  await expectText(page.locator('.tab-panel h2'), 'of attempt 1, request 1')
  await expectText(page.locator('.tab-panel .long-text'), 'get_weather')
  await picture('plan-templated')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function attempts(tools) {
  const { page, show, picture } = tools
  const id = await shown(tools, { model: 'careful', play: 'corrected', plan: 'prompted' })
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expectText(timeline, 'wait for upstream 3')
  const causes = await timeline.locator('.why').allTextContents()
  assert.equal(causes.length, 2)
  assert.match(causes[0] ?? '', /^fail-over: .*The engine has run out of memory/)
  assert.match(causes[1] ?? '', /^call-sent-back: .*city/)
  // The first one wrote nothing, the second one's call was sent back.
  await expectText(page.getByRole('region', { name: 'Attempt 1' }), 'The engine has run out of memory.')
  await expectText(page.getByRole('group', { name: 'Raw text of attempt 2' }), '"town"')
  await expectText(page.getByRole('group', { name: 'Raw text of attempt 3' }), '"city"')
  await picture('attempts')
  await show(`exchanges/${id}/upstream`)
  await expectCount(page.getByRole('region', { name: /^Attempt/ }), 3)
  await show(`exchanges/${id}/replay`)
  const again = page.getByRole('region', { name: 'Read again' })
  await again.getByLabel('Attempt').selectOption('2')
  await again.getByRole('button', { name: 'Read again' }).click()
  await expectText(again.getByRole('region', { name: 'Again' }), '"town"')
}
