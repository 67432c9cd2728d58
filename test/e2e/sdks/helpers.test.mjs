// @ts-check
// The helpers for structured replies of those SDKs that are dependencies of the project, on each plan, with replies as models write
// them. `npm run e2e:sdks` runs all SDKs, before the built command.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeGateway, createNodeUpstreams, listen, parseConfig } from '../../../src/gateway/index.ts'
import { loadTemplate } from '../../../src/templates.ts'
import { coveringPairs } from '../../support/draws.ts'
import { checkHelper } from './checks.mjs'
import { planNames, startModel } from './model.mjs'
import { sdks } from './sdks.mjs'
import { served, template } from './served.mjs'

/** Loads a package; one that is not there has nothing in it, and what needs it is left out. @param {string} name */
const load = async (name) => (missing.has(name) ? {} : import(name))
const missing = new Set(['@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai-compatible'])
const providers = new Set(['Chat', 'Responses'])

const here = sdks.filter(({ name }) => ['openai', 'anthropic', 'google', 'ollama', 'ai-sdk-6'].includes(name))
const found = await Promise.all(
  here.map(async ({ title, name, modes }) =>
    (await modes(load))
      .filter(({ protocol }) => name !== 'ai-sdk-6' || providers.has(protocol.replace(/, \w+$/, '')))
      .flatMap(({ protocol, structured = {} }) =>
        Object.entries(structured).map(([what, helper]) => ({ title: `${title}, ${protocol}: ${what}`, what, helper })),
      ),
  ),
)
const helpers = found.flat()
const plansOf = coveringPairs(helpers, planNames, { fewest: 1 })
const products = helpers.flatMap((helper) => plansOf(helper).map((plan) => ({ ...helper, plan })))

const model = await startModel()
/** @type {Awaited<ReturnType<typeof listen>>} */
let running
/** @type {ReturnType<typeof createNodeGateway>} */
let gateway
beforeAll(async () => {
  const config = parseConfig(served(model.url), { file: 'test', env: {} })
  const templates = new Map([[template, loadTemplate(readFileSync(template, 'utf8'))]])
  gateway = createNodeGateway({ config, upstreams: createNodeUpstreams(config), templates, log: () => {} })
  running = await listen(gateway, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await running.close()
  await gateway.close()
  model.close()
})

test.each(products)('plan $plan, $title', async ({ plan, what, helper }) => {
  expect(await checkHelper(what, helper, model, { url: running.url, model: plan })).toEqual([])
})
