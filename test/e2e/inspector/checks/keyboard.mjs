// @ts-check
import assert from 'node:assert/strict'
import { expectCount, expectText } from '../expect.mjs'

/** @param {import('./index.mjs').CheckTools} tools */
export async function keyboardPath({ page, gateway }) {
  const asked = []
  for (const name of ['said', 'call', 'faulty']) {
    const one = await gateway.ask(`Ask for [${name}].`)
    await one.text
    asked.unshift(one)
  }
  await expectCount(page.locator('.row'), 3)
  const at = () => page.locator('.row.current')
  await page.keyboard.press('j')
  await expectText(at(), '[faulty]')
  await page.keyboard.press('j')
  await expectText(at(), '[call]')
  await page.keyboard.press('k')
  await expectText(at(), '[faulty]')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/#/exchanges/${asked[0]?.id}`)
  await page.getByRole('tab', { name: 'Raw text' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(`**/${asked[0]?.id}/events`)
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-events')
  await page.keyboard.press('Home')
  await page.waitForURL(`**/${asked[0]?.id}/request`)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await page.keyboard.type('umbrella')
  await expectCount(page.locator('.row'), 1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/#/exchanges')
}
