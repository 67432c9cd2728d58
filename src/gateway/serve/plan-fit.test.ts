import { expect, test } from 'vitest'
import { dialectOf } from '../../dialects/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, Upstream } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import type { ModelRule } from '../config/schema/types.ts'
import { planConfigError, replyDialects, resolvePlan } from './plan-fit.ts'

const abilities: Readonly<Record<string, Abilities['requests']>> = {
  text: ['messages'],
  chat: ['messages', 'tools'],
  engine: ['prompt', 'messages', 'tools'],
  file: ['prompt'],
}
const upstreams = new Map(
  Object.entries(abilities).map(([name, requests]): [string, Upstream] => [
    name,
    createScriptedUpstream({ name, abilities: { requests } }),
  ]),
)

test.each<[plan: ModelRule['plan'], names: string[], served: string[] | 'refused']>([
  ['native', ['chat'], ['native']],
  ['native', ['text', 'chat', 'file'], ['prompted', 'native', 'templated']],
  ['native', ['text', 'file'], 'refused'],
  ['prompted', ['text'], ['prompted']],
  ['prompted', ['file', 'text'], ['templated', 'prompted']],
  ['prompted', ['file'], 'refused'],
  ['templated', ['engine'], ['templated']],
  ['templated', ['engine', 'chat'], ['templated', 'prompted']],
  ['templated', ['chat', 'text'], 'refused'],
])('plan %s for %j is %j', (plan, names, served) => {
  const { models } = parseConfig(
    {
      upstreams: Object.fromEntries(names.map((name) => [name, { type: 'scripted' }])),
      models: [{ match: '*', upstream: names, plan }],
    } as unknown,
    { file: 'test', env: {} },
  )
  const faults = models.map((rule) => planConfigError(rule, upstreams))
  expect(faults).toEqual([served === 'refused' ? expect.stringContaining(`which plan ${plan} needs`) : undefined])
  if (served === 'refused' || plan === 'auto') return
  const candidates = names.flatMap((name) => upstreams.get(name) ?? [])
  expect(candidates.map((upstream) => resolvePlan(upstream, plan))).toEqual(served)
})

/** A program may have one of its own by the same name. */
const ownDialect = { ...dialectOf('hermes') }

test.each<[rule: Partial<ModelRule>, names: string[], dialects: string[]]>([
  [{ plan: 'native' }, ['chat'], ['hermes', 'universal']],
  [{ plan: 'native' }, ['text'], ['toolify']],
  [{ plan: 'native' }, ['text', 'engine'], ['toolify', 'hermes', 'universal']],
  [{ plan: 'prompted' }, ['chat', 'engine'], ['toolify']],
  [{ plan: 'prompted' }, ['text', 'file'], ['toolify', 'universal']],
  [{ plan: 'prompted' }, ['unknown'], ['toolify', 'hermes', 'universal']],
  [{ plan: 'prompted', dialect: 'hermes' }, ['text'], ['hermes']],
  [{ plan: 'prompted', dialect: 'universal' }, ['text'], ['universal']],
  [{ plan: 'templated', dialect: 'hermes' }, ['engine'], ['universal']],
  [{ plan: 'auto' }, ['chat'], ['toolify', 'hermes', 'universal']],
  [{ plan: 'auto' }, ['text'], ['toolify']],
  [{ plan: 'auto', dialect: 'hermes' }, ['chat'], ['hermes']],
  [{ plan: 'auto', dialect: 'hermes' }, ['file'], ['universal']],
  [{ plan: 'prompted', promptTemplate: '{tools}', dialect: ownDialect }, ['text'], []],
])('replies to a rule of %j for %j are read in %j', (rule, names, dialects) => {
  const { models } = parseConfig({
    upstreams: Object.fromEntries(names.map((name) => [name, { type: 'scripted' }])),
    models: [{ match: '*', upstream: names, ...rule }],
  } as unknown)
  expect(models.map((one) => replyDialects(one, upstreams))).toEqual([dialects])
})
