import { expect, test } from 'vitest'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, Upstream } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import type { ModelRule } from '../config/schema/types.ts'
import { mayReadAnyForm, planConfigError, resolvePlan } from './plan-fit.ts'

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

test.each<[rule: Partial<ModelRule>, names: string[], isAny: boolean]>([
  [{ plan: 'native' }, ['chat'], true],
  [{ plan: 'native' }, ['text'], false],
  [{ plan: 'native' }, ['text', 'engine'], true],
  [{ plan: 'prompted' }, ['chat', 'engine'], false],
  [{ plan: 'prompted' }, ['text', 'file'], true],
  [{ plan: 'prompted' }, ['unknown'], true],
  [{ plan: 'prompted', dialect: 'hermes' }, ['text'], false],
  [{ plan: 'prompted', dialect: 'universal' }, ['text'], true],
  [{ plan: 'templated' }, ['engine'], true],
  [{ plan: 'auto' }, ['chat'], true],
  [{ plan: 'auto' }, ['text'], false],
  [{ plan: 'auto', dialect: 'hermes' }, ['chat'], false],
  [{ plan: 'auto', dialect: 'hermes' }, ['file'], true],
])('replies to a rule of %j for %j are read in any form: %s', (rule, names, isAny) => {
  const { models } = parseConfig({
    upstreams: Object.fromEntries(names.map((name) => [name, { type: 'scripted' }])),
    models: [{ match: '*', upstream: names, ...rule }],
  } as unknown)
  expect(models.map((one) => mayReadAnyForm(one, upstreams))).toEqual([isAny])
})
