// @ts-check
import assert from 'node:assert/strict'
import { eventually, expectText } from '../expect.mjs'
import { chatml } from '../gateway.mjs'

/** @param {import('./index.mjs').CheckTools} tools */
export async function readPage({ page, show, picture }) {
  await show('read')
  const reading = page.getByRole('region', { name: 'Reading', exact: true })
  await expectText(reading, 'repaired')
  await page.getByLabel('Text', { exact: true }).fill('<tool_call>{"name": "now", "arguments": {"x": 1}}</tool_call>')
  await page.getByLabel(/^Tools/).fill('["now"]')
  await expectText(reading.locator('.parts'), 'now (call_1)')
  await picture('read')
  await page.getByLabel(/^Characters that have come/).fill('45')
  await expectText(reading.locator('.parts'), 'broken off')
  await page.getByLabel(/^Tools/).fill('[')
  await expectText(page.getByRole('alert'), 'Tools are not valid JSON')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function templatePage({ page, show, picture }) {
  await show('template')
  await page.getByLabel('Template').fill(chatml)
  await page.getByRole('button', { name: 'Analyse' }).click()
  const analysis = page.getByRole('region', { name: 'Analysis' })
  await expectText(analysis, 'read back')
  await expectText(analysis, '<|im_start|>')
  await picture('template')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function healthPage({ page, gateway, show, picture }) {
  for (const name of ['call', 'faulty', 'crash', 'unknown']) await (await gateway.ask(`Ask for [${name}].`)).text
  await show('health')
  await expectText(page.getByRole('region', { name: 'Upstreams' }), 'engine')
  await expectText(page.getByRole('region', { name: 'Notices and errors' }), 'repaired: 1')
  const canvas = page.locator('.chart canvas')
  await canvas.first().waitFor()
  await eventually(
    () => canvas.evaluateAll((all) => all.map((one) => one.clientWidth)),
    (widths) => widths.every((width) => width > 300),
    'wanted charts',
  )
  assert.ok((await canvas.count()) >= 1)
  await picture('health')
}
