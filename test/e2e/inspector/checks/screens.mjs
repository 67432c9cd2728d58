// @ts-check
import assert from 'node:assert/strict'
import { expectCount } from '../expect.mjs'

const tabs = ['request', 'conversation', 'prompt', 'grammar', 'upstream', 'raw', 'events', 'bytes', 'replay']

/** @param {import('./index.mjs').CheckTools} tools */
export async function phone({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [faulty].')
  await text
  await page.setViewportSize({ width: 390, height: 844 })
  const parts = ['exchanges', ...tabs.map((tab) => `exchanges/${id}/${tab}`), 'read', 'template', 'health']
  for (const part of parts) {
    await show(part)
    await page.locator('.row:visible, .tab-panel, .tool-page').first().waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, `${part}: the page is ${width} pixels wide`)
    await picture(`phone-${part.split('/').at(-1)}`)
  }
  await show(`exchanges/${id}`)
  await page.getByRole('button', { name: 'All exchanges' }).click()
  await expectCount(page.locator('.row:visible'), 1)
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function accessible({ page, gateway, show, checkAccess, picture }) {
  for (const name of ['call', 'crash', 'broken', 'faulty']) await (await gateway.ask(`Ask for [${name}].`)).text
  const { id, text } = await gateway.ask('Ask for [unknown].')
  await text
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme })
    const parts = ['exchanges', ...tabs.map((tab) => `exchanges/${id}/${tab}`), 'read', 'template', 'health']
    for (const part of parts) {
      await show(part)
      await page
        .locator(part === 'exchanges' ? '.row' : '.tab-panel, .tool-page')
        .first()
        .waitFor()
      await checkAccess(`${colorScheme}, ${part}`)
    }
    await show(`exchanges/${id}`)
    await picture(`exchange-${colorScheme}`)
  }
}
