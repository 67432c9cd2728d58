// @ts-check
// An agent's run in the inspector: the real Claude Code runs ten steps, of which the tenth fails by a broken call. The page leads to the
// cause, `records test` makes a case of it, and the case fails before the fix and passes after it. Run by `npm run e2e:inspector -- agent`.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureClients, runClient } from '../claude-code/client.mjs'
import { startGateway } from '../clients/gateway.mjs'
import { runIsolated } from '../clients/isolated.mjs'
import { forms } from '../played/forms.mjs'
import { startModel } from '../played/model.mjs'
import { anycall, caseOf, scoreOf } from './agent-case.mjs'
import { openBrowser } from './browser.mjs'
import { expectCount, expectText } from './expect.mjs'

const shots = new URL('../../../.cache/inspector/', import.meta.url).pathname
const count = 10
const form = forms.find(({ name }) => name === 'hermes')
if (!form) throw new Error('there is no form hermes')

/** The steps of the model. The last call is written in a fence, as models do that were trained on Markdown. */
const steps = Array.from({ length: count }, (_, index) => ({
  /** @param {import('../played/model.mjs').Seen} seen */
  says: ({ calls }) => {
    const input = { command: `echo step-${index + 1}`, description: 'Prints the step' }
    const call = calls({ name: 'Bash', input })
    return index + 1 < count ? call : `The last step.\n\n\`\`\`xml\n${call}\n\`\`\``
  },
}))

process.exitCode = await runIsolated({ url: import.meta.url, install: ensureClients, run })

/** @param {import('../clients/isolated.mjs').Network} network */
async function run({ env }) {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-agent-'))
  const started = performance.now()
  try {
    mkdirSync(join(folder, 'project'))
    mkdirSync(shots, { recursive: true })
    await check(folder, env)
    console.log(`ok      agent (${Math.round(performance.now() - started)} ms)`)
    return 0
  } catch (error) {
    console.log(`FAILED  agent: ${error instanceof Error ? error.stack : String(error)}`)
    return 1
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** @param {string} folder @param {Record<string, string>} env */
async function check(folder, env) {
  const broken = await runAgent({ folder, env, steps, look: lookForCause })
  assert.match(broken.said, /The last step/, 'the agent should have stopped at the tenth step')
  const [failed = ''] = await idsOf(folder)

  // A person corrects what the case expects: the call was meant.
  const input = { command: `echo step-${count}`, description: 'Prints the step' }
  const expect = { content: 'The last step.\n\n', tool_calls: [{ name: 'Bash', arguments: input }] }
  const before = await caseOf(folder, failed)
  assert.deepEqual(await scoreOf(folder, [{ ...before, expect }]), { passed: 0, total: 1 })

  // The fix that the page names.
  const answer = { says: () => 'All steps are done.' }
  const fixed = await runAgent({ folder, env, steps: [...steps, answer], rule: { reading: { fences: 'lenient' } } })
  assert.match(fixed.said, /All steps are done/)
  const [, mended = ''] = await idsOf(folder)
  const after = await caseOf(folder, mended)
  assert.equal(after.output, before.output)
  assert.deepEqual(await scoreOf(folder, [{ ...after, expect }]), { passed: 1, total: 1 })
}

/** @param {string} folder */
async function idsOf(folder) {
  const rows = (await anycall(folder, ['list', '--json', '--limit', '100'])).trim().split('\n')
  return rows.map((row) => JSON.parse(row).id)
}

/**
 * @typedef {object} AgentRun
 * @property {string} folder
 * @property {Record<string, string>} env
 * @property {readonly import('../played/model.mjs').Step[]} steps
 * @property {object} [rule] added to the gateway's rule
 * @property {(url: string) => Promise<void>} [look] looks at the page while the gateway runs
 */

/**
 * Runs the agent to its end, before a model that plays the steps.
 *
 * @param {AgentRun} run
 */
async function runAgent({ folder, env, steps, rule, look }) {
  if (!form) throw new Error('there is no form')
  const model = await startModel(form, steps)
  const config = {
    upstreams: { model: { type: 'openai-chat', url: `${model.url}/v1` } },
    models: [{ match: '*', upstream: 'model', model: 'text-model', ...form.rule, ...rule }],
    records: { file: 'records.db' },
  }
  const gateway = await startGateway({ folder, args: ['--inspect'], config })
  try {
    const prompt = `Run ${count} steps.`
    const args = ['--allowedTools', 'Bash']
    const cwd = join(folder, 'project')
    const said = await runClient({ release: 'recent', gatewayUrl: gateway.url, home: folder, cwd, prompt, args, env })
    assert.ok(said.ok, `Claude Code: ${said.end}\n${said.stdout.slice(-2000)}${said.stderr.slice(-2000)}`)
    assert.deepEqual(model.problems(), [])
    await look?.(gateway.url)
    return { said: said.stdout }
  } finally {
    await gateway.stop()
    model.close()
  }
}

/**
 * Goes the way of a person who wonders why the agent stopped: the session, its last step, the reason, the text.
 *
 * @param {string} url
 */
async function lookForCause(url) {
  const browser = await openBrowser(shots)
  try {
    await browser.onPage({ url }, async ({ page, picture }) => {
      await page.getByRole('button', { name: 'Sessions' }).click()
      const session = page.locator('.sessions summary').first()
      await expectText(session, `${count} steps`)
      await session.click()
      const steps = page.locator('.steps li')
      await expectCount(steps, count)
      await steps.last().getByRole('button').click()
      const reason = page.locator('.reason').first()
      await expectText(reason, 'call-not-accepted')
      await expectText(reason, 'The text has a call of "Bash" that was not run')
      await expectText(reason, 'fences')
      await expectText(page.getByRole('group', { name: 'Raw text of attempt 1' }), `echo step-${count}`)
      await picture('agent')
    })
  } finally {
    await browser.close()
  }
}
