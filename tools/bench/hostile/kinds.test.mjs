import { expect, test } from 'vitest'
import { analyzeTemplate, loadTemplate } from '../../../src/templates/index.ts'
import { createScriptedUpstream, playText } from '../../../src/upstreams/scripted/scripted.ts'
import { someOf } from '../../../test/support/draws.ts'
import { gatewayForTest, upstreamName } from '../../../test/support/gateway-fixture.ts'
import { kinds, requestOf } from './kinds.mjs'
import { template } from './template.mjs'

const chatTemplate = loadTemplate(template)
// Work that is done once for a template does not belong to a request.
analyzeTemplate(chatTemplate)

const plans = {
  native: { plan: 'native', abilities: { requests: ['messages', 'tools'] } },
  prompted: { plan: 'prompted', dialect: 'glm' },
  templated: { plan: 'templated', abilities: { requests: ['prompt'], constraint: 'gbnf' } },
  tagged: { plan: 'templated', abilities: { requests: ['prompt'], constraint: 'structural-tag' } },
}

function upstreamOf(reply, abilities) {
  const upstream = createScriptedUpstream({
    name: upstreamName,
    ...(abilities && { abilities }),
    play: () => playText(reply.text, 5),
  })
  return { ...upstream, template: async () => chatTemplate }
}

const rows = kinds
  .filter(({ name }) => /^(schema|format|names): /.test(name))
  .flatMap((kind) => kind.plans.map((name) => ({ kind, name, title: `${kind.name}, ${name}` })))

test.each(someOf(rows, 16))(
  'is answered, or refused as what the client must change: $title',
  async ({ kind, name }) => {
    const { abilities, ...options } = plans[name]
    const gateway = await gatewayForTest({ ...options, upstream: upstreamOf(kind.reply, abilities) })
    const { bytes, headers } = requestOf(kind, name)
    const response = await fetch(`${gateway.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes,
    })
    const failures = gateway.log.filter(({ level }) => level === 'error').map(({ fields }) => fields)
    expect({ status: response.status, failures }).toSatisfy(({ status }) => status === 200 || status === 400)
  },
)
