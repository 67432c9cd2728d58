// @ts-check
import assert from 'node:assert/strict'
import { expectCount, expectText } from '../expect.mjs'

/** @param {import('./index.mjs').CheckTools} tools */
export async function liveStream({ page, gateway, picture }) {
  await expectText(page.locator('.connection'), 'live')
  const asked = await gateway.ask('Say something. [held]')
  const row = page.locator('.row').first()
  await expectText(row, 'running')
  await expectText(row, 'The first words')
  await row.click()
  const raw = page.getByRole('group', { name: 'Raw text of attempt 1' })
  await expectText(raw, 'The first words')
  await picture('live')
  gateway.release()
  await asked.text
  await expectText(raw, 'and the rest of the reply.')
  await expectText(row, 'ok')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function filters({ page, gateway, picture }) {
  for (const name of ['call', 'faulty', 'said', 'crash']) await (await gateway.ask(`Ask for [${name}].`)).text
  const rows = page.locator('.row')
  await expectCount(rows, 4)
  await page.getByText('Filters').click()
  await expectCount(page.getByLabel('state').locator('option'), 4)
  await page.getByLabel('state').selectOption('failed')
  await expectCount(rows, 1)
  await expectText(rows.first(), '[crash]')
  await picture('filters')
  // A new exchange that does not match the filter is not listed.
  await (await gateway.ask('Ask for [said].')).text
  await (await gateway.ask('Ask for [crash] again.')).text
  await expectCount(rows, 2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expectCount(rows, 6)
  await page.getByLabel('notice or error').selectOption('repaired')
  await expectCount(rows, 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('searchbox').fill('umbrella')
  await expectCount(rows, 2)
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function sessions({ page, gateway, picture }) {
  const first = { role: 'user', content: 'How is Oslo? [call]' }
  await (await gateway.ask([first])).text
  const use = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Rain. [said]' }
  const asked = await gateway.ask([
    first,
    { role: 'assistant', content: [{ type: 'text', text: "I'll look that up." }, use] },
    { role: 'user', content: [result] },
  ])
  await asked.text
  await page.getByRole('button', { name: 'Sessions' }).click()
  const session = page.locator('.sessions summary').first()
  await expectText(session, '2 steps')
  await session.click()
  const steps = page.locator('.steps li')
  await expectCount(steps, 2)
  await steps.nth(1).getByRole('button').click()
  await page.waitForURL(`**/#/exchanges/${asked.id}`)
  await picture('sessions')
  await page.getByRole('tab', { name: 'Prompt' }).click()
  await expectText(page.locator('.prompt-parts .new').last(), 'new')
  assert.ok((await page.locator('.prompt-parts li:not(.new)').count()) > 0, 'no part of the prompt is known')
  await picture('prompt')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function manyExchanges({ page, gateway }) {
  const count = 10_000
  await page.route('**/inspector/api/exchanges?*', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const from = Number(query.get('before')?.slice(4) ?? -1) + 1
    const exchanges = Array.from({ length: Math.min(500, count - from) }, (_, index) => rowOf(from + index))
    const next = from + exchanges.length < count ? exchanges.at(-1)?.id : undefined
    const kept = { exchanges: count, bytes: 1e8, dropped: 0 }
    await route.fulfill({ json: { exchanges, values: {}, kept, ...(next !== undefined && { next }) } })
  })
  await page.goto(`${gateway.url}/inspector/`)
  await page.reload()
  const rows = page.locator('.row')
  await expectText(rows.first(), 'question 0')
  const list = page.locator('.rows')
  for (let pages = 0; pages < 25; pages++) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.waitForTimeout(30)
  }
  await expectText(rows.last(), `question ${count - 1}`)
  assert.ok((await rows.count()) < 60, 'rows out of view are made')
  assert.equal(await rows.last().getAttribute('aria-setsize'), String(count))
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function adminKey({ page, gateway, picture }) {
  await (await gateway.ask('Ask for [said].')).text
  const field = page.getByLabel('Key (records.adminKey)')
  await field.fill('not-the-key-of-this-gateway')
  await page.getByRole('button', { name: 'Open' }).click()
  await field.waitFor()
  await picture('key')
  await page.goto(`${gateway.url}/inspector/#key=${adminKey.records.adminKey}`)
  await expectCount(page.locator('.row'), 1)
  await expectText(page.locator('.connection'), 'live')
  assert.ok(!page.url().includes('key'), 'the key stays in the address')
}
adminKey.records = { adminKey: 'the-admin-key-of-this-gateway' }

/** @param {number} number */
function rowOf(number) {
  const id = `req_${number}`
  return {
    id,
    at: '2026-01-31T12:00:00.000Z',
    session: { id, step: 0 },
    state: 'ok',
    status: 200,
    path: '/v1/messages',
    model: 'm',
    calls: [],
    notices: [],
    attempts: 1,
    asks: `question ${number}`,
    says: 'an answer',
  }
}
