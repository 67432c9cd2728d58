// @ts-check
import { fileURLToPath } from 'node:url'
import { planNames } from './model.mjs'

/** The chat template of plan `templated`. */
export const template = fileURLToPath(new URL('../played/chat-template.jinja', import.meta.url))
const rules = {
  native: { plan: 'native' },
  prompted: { plan: 'prompted', dialect: 'hermes' },
  templated: { plan: 'templated', template },
}

/**
 * The configuration of a gateway before the servers of `startModel`: each plan is a model of its name.
 * @param {string} url of the servers
 */
export function served(url) {
  const upstreams = {
    native: { type: 'openai-chat', url: `${url}/native/v1` },
    prompted: { type: 'openai-chat', url: `${url}/prompted/v1` },
    templated: { type: 'vllm', url: `${url}/templated` },
  }
  const models = planNames.map((plan) => ({ match: plan, upstream: plan, model: 'text-model', ...rules[plan] }))
  return { upstreams, models }
}
