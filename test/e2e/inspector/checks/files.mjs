// @ts-check
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { eventually, expectCount, expectText } from '../expect.mjs'
import { chatml } from '../gateway.mjs'

const dist = new URL('../../../../dist/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'anycall-inspector-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** @param {readonly string[]} words */
async function anycall(words) {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('main.mjs', dist)), ...words], {
    maxBuffer: 64e6,
  })
  return stdout
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function recordsFile({ page, gateway, picture, checkAccess }) {
  const file = recordsFile.records.file
  const first = { role: 'user', content: 'How is <script>window.executed=true</script> Oslo? [hostile]' }
  const one = await gateway.ask([first])
  await one.text
  const messages = [first, { role: 'assistant', content: 'It rains.' }, { role: 'user', content: 'Ask for [faulty].' }]
  const other = await gateway.ask(messages)
  await other.text
  await eventually(
    () => anycall(['records', 'list', '--file', file]),
    (list) => list.includes(other.id) && list.includes(one.id),
    'wanted both records in the file',
  )
  const html = await anycall(['records', 'html', one.id, other.id, '--file', file, '--redact', 'umbrella|Oslo'])
  assert.ok(!html.includes('Oslo'), 'a masked text is in the file')
  const path = join(folder, 'records.html')
  writeFileSync(path, html)
  await page.goto(pathToFileURL(path).href)
  const steps = page.getByRole('navigation', { name: 'Exchanges' }).getByRole('button')
  await expectCount(steps, 2)
  await expectText(page.getByRole('group', { name: 'Raw text of attempt 1' }), '<script>window.executed=true</script>')
  await steps.nth(1).click()
  await expectText(page.locator('.long-text .role.name'), 'get_weather')
  await expectText(page.locator('.reason').first(), 'repaired')
  for (const name of ['Request', 'Conversation', 'Prompt', 'Grammar', 'Upstream', 'Events', 'Client bytes']) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tab', { name, selected: true }).waitFor()
  }
  await checkAccess('a file of records')
  await picture('file')
  await page.setViewportSize({ width: 390, height: 844 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 390, `the file is ${width} pixels wide`)
  await page.getByRole('button', { name: 'All exchanges' }).click()
  await steps.first().waitFor()
  assert.equal(await page.evaluate('window.executed'), undefined)
  assert.equal(await page.locator('#page img, #page script').count(), 0)
  // If a script came into the page in spite of all, its policy would stop it.
  const refused = await page.evaluate(async () => {
    const blocked = new Promise((resolve) => addEventListener('securitypolicyviolation', resolve, { once: true }))
    document.body.append(document.createElement('script'))
    await fetch('https://example.com/').catch(() => undefined)
    return (await blocked) !== undefined
  })
  assert.ok(refused)
}
recordsFile.records = { file: join(folder, 'records.db') }
/** The policy's own words about the attempt above. */
recordsFile.expects = /https:\/\/example\.com\/.*Content Security Policy|Connecting to 'https:\/\/example\.com\/'/

/** @param {import('./index.mjs').CheckTools} tools */
export async function readFile({ page, picture, checkAccess }) {
  await page.goto(new URL('inspector/read.html', dist).href)
  const reading = page.getByRole('region', { name: 'Reading', exact: true })
  await expectText(reading, 'repaired')
  await page.getByLabel('Text', { exact: true }).fill('[TOOL_CALLS]now[ARGS]{"x": 1}')
  await page.getByLabel(/^Tools/).fill('["now"]')
  await expectText(reading.locator('.parts'), 'now (call_1)')
  await checkAccess('read.html')
  await picture('read-file')
}

/** @param {import('./index.mjs').CheckTools} tools */
export async function templateFile({ page, picture, checkAccess }) {
  await page.goto(new URL('inspector/read.html', dist).href)
  await page.getByRole('link', { name: 'Template' }).click()
  await page.getByLabel('Template').fill(chatml)
  await page.getByRole('button', { name: 'Analyse' }).click()
  const analysis = page.getByRole('region', { name: 'Analysis' })
  await expectText(analysis, 'read back')
  await expectText(analysis, '<|im_start|>')
  await page.getByLabel('Template').fill('{% if %}')
  await page.getByRole('button', { name: 'Analyse' }).click()
  await expectText(page.getByRole('alert'), 'template:')
  await checkAccess('template.html')
  await picture('template-file')
}
