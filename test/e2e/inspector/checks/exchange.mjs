// @ts-check
import assert from 'node:assert/strict'
import { expectCount, expectText } from '../expect.mjs'

/** @param {import('./index.mjs').CheckTools} tools */
export async function failureFirst({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [crash].')
  await text
  await show(`exchanges/${id}`)
  const reason = page.locator('.reason').first()
  await expectText(reason, 'The engine has run out of memory.')
  const box = await reason.boundingBox()
  assert.ok(box && box.y < 200, 'the reason is not at the top')
  await picture('failure')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function rawText({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [faulty].')
  await text
  await show(`exchanges/${id}`)
  await expectText(page.locator('.long-text .role.name'), 'get_weather')
  const letters = await page.locator('.long-text .role[data-letter]').evaluateAll((spans) => {
    return spans.map((span) => span.getAttribute('data-letter'))
  })
  assert.ok(
    ['T', 'M', 'A', 'N'].every((letter) => letters.includes(letter)),
    `letters: ${letters}`,
  )
  await expectText(page.locator('.long-text .note').first(), 'Notice repaired')
  // The text is whole, and in order: what is beside it is not part of it.
  const shown = await page.locator('.long-text .block bdi').evaluateAll((parts) => {
    return parts
      .filter((part) => !part.closest('.note'))
      .map((part) => part.textContent)
      .join('')
  })
  assert.match(shown, /^Let me see\.\n<tool_call>\n\{"name": "get_weather", "arguments": \{city: 'Oslo'/)
  assert.match(shown, /<\/tool_call>$/)
  await picture('raw-text')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function allTabs({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [call].')
  const sent = await text
  /** @type {readonly (readonly [string, string])[]} */
  const parts = [
    ['request', 'max_tokens'],
    ['conversation', 'Ask for [call].'],
    ['prompt', 'tokens. Largest part'],
    ['grammar', 'No grammar or schema was sent'],
    ['upstream', 'Body sent to the upstream'],
    ['raw', '<tool_call>'],
    ['events', '{"city":"Oslo"}'],
    ['bytes', 'event: message_start'],
    ['replay', 'Read the same text again'],
  ]
  for (const [tab, expected] of parts) {
    await show(`exchanges/${id}/${tab}`)
    if (tab === 'upstream') await page.getByRole('group', { name: expected }).waitFor()
    else await expectText(page.locator('.tab-panel'), expected)
    await picture(`tab-${tab}`)
  }
  await show(`exchanges/${id}/bytes`)
  const bytes = await page.getByRole('group', { name: 'Bytes sent to the client' }).textContent()
  assert.equal(bytes?.replaceAll(/\s/g, ''), sent.replaceAll(/event: ping\ndata: .*\n\n/g, '').replaceAll(/\s/g, ''))
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function argumentsGrow({ page, gateway, show }) {
  const { id, text } = await gateway.ask('Ask for [call].')
  await text
  await show(`exchanges/${id}/events`)
  const list = page.locator('.events')
  await expectText(list, '{"city":"Oslo"}')
  await page.getByLabel('Time', { exact: true }).fill('0')
  await expectCount(page.locator('.events li'), 0)
  await page.getByRole('button', { name: 'Play' }).click()
  await expectText(list, '{"city":"Oslo"}')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function copyAsCurl({ page, gateway, show }) {
  const { id, text } = await gateway.ask('Ask for [said].')
  await text
  await show(`exchanges/${id}`)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expectText(page.locator('.copies'), 'Copied as curl')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^curl -N .*\/v1\/messages/)
  assert.match(copied, /Ask for \[said\]/)
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function replay({ page, gateway, show, picture }) {
  const { id, text } = await gateway.ask('Ask for [faulty].')
  await text
  await show(`exchanges/${id}/replay`)
  const again = page.getByRole('region', { name: 'Read again' })
  await again.getByRole('button', { name: 'Read again' }).click()
  await expectText(again, '= Both readings are the same.')
  await again.getByLabel('Dialect').selectOption('mistral')
  await again.getByRole('button', { name: 'Read again' }).click()
  await expectText(again, '≠ The readings differ.')
  await expectCount(again.locator('.two > .reading'), 2)
  await picture('replay')
  const send = page.getByRole('region', { name: 'Send again' })
  await send.getByLabel('Model').fill('another')
  await send.getByRole('button', { name: 'Send again' }).click()
  await expectCount(send.locator('.two > .reading'), 2)
  await expectText(send, '= Both replies are the same.')
  await expectText(page.locator('.row').first(), 'another')
}
