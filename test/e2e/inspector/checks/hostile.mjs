// @ts-check
import assert from 'node:assert/strict'
import { expectText } from '../expect.mjs'

const markup = '<img src=x onerror="window.executed=true"><script>window.executed=true</script>'
const tabs = ['request', 'conversation', 'prompt', 'grammar', 'upstream', 'raw', 'events', 'bytes', 'replay']

/** @param {import('./index.mjs').CheckTools} tools */
export async function hostileTexts({ page, gateway, show, picture }) {
  const model = `model${markup}`
  const { id, text } = await gateway.ask(`${markup} \u202eback\u202c [hostile]`, { model, system: markup })
  await text
  await expectText(page.locator('.row').first(), '<script>')
  for (const tab of tabs) {
    await show(`exchanges/${id}/${tab}`)
    await page.getByRole('tab', { selected: true }).waitFor()
    await page.locator('.tab-panel details').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '')
    })
    assert.equal(await page.locator('#page img, #page script').count(), 0, `${tab}: the text has become elements`)
  }
  await show(`exchanges/${id}`)
  const raw = page.getByRole('group', { name: 'Raw text of attempt 1' })
  await expectText(raw, markup)
  const shown = (await page.locator('#page').textContent()) ?? ''
  assert.ok(!/[\u001b\u202e\u202c]/.test(shown), 'a control reached the page')
  assert.match(shown, /\\u001b/)
  assert.match(shown, /\\u202e/)
  assert.equal(await page.evaluate('window.executed'), undefined)
  await picture('hostile')
  // If a script came into the page in spite of all, its policy would stop it.
  const policy = await page.evaluate(async () => {
    const answers = await Promise.all(['./', 'page.js', 'page.css'].map((path) => fetch(path)))
    return answers.map(({ headers }) => headers.get('content-security-policy'))
  })
  for (const one of policy) assert.match(one ?? '', /default-src 'none'; script-src 'self';.*trusted-types 'none'/)
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function longLine({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [large].')
  await text
  await show(`exchanges/${id}`)
  const raw = page.getByRole('group', { name: 'Raw text of attempt 1' })
  await expectText(raw, 'a long line')
  const length = 12 * 180_000
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('.long-text .block')].map((block) => block.textContent).join('').length >= wanted,
    length,
  )
  // Each block is laid out by itself, so that a megabyte in one line is never one line of layout.
  const longest = await page.locator('.long-text .block').evaluateAll((blocks) => {
    return Math.max(...blocks.map((block) => block.textContent?.length ?? 0))
  })
  assert.ok(longest <= 8000, `a block of ${longest} characters`)
  await raw.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await picture('long-line')
}
