import { expect, test } from 'vitest'
import { paris, read, tools } from '../../../../test/support/dialects/tagged.ts'
import { coveringPairs } from '../../../../test/support/draws.ts'
import { oneOrMore, pattern, sequence, token } from '../../../grammar/index.ts'
import { writeCalls } from '../../../grammar/write/write.ts'
import type { FormatData } from '../../format/format.ts'
import { command4 } from './command4.ts'
import { dsml } from './dsml.ts'
import { glm, hunyuan } from './glm.ts'
import { k2Horizon } from './k2-horizon.ts'
import { kimiK3 } from './kimi-k3.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM2, minimaxM3 } from './minimax.ts'
import { museGlimmer } from './muse-glimmer.ts'
import { qwen3Coder, seedOss } from './qwen3-coder.ts'
import { solarOpen2 } from './solar-open2.ts'
import { step3 } from './step3.ts'
import { toolify } from './toolify.ts'

const formats: readonly FormatData[] = [
  qwen3Coder,
  seedOss,
  glm,
  hunyuan,
  dsml,
  minimaxM2,
  step3,
  minimaxM3,
  minicpm5,
  kimiK3,
  solarOpen2,
  k2Horizon,
  museGlimmer,
  command4,
  toolify,
]

/** Each format with one of two of these tests, in npm test. */
const formatsOf = coveringPairs(['read', 'written', 'both', 'strings'] as const, formats, { fewest: 2 })

test.each(formatsOf('read').map((format) => [format.name, format] as const))(
  '%s: its example, without a notice',
  (_, format) => {
    expect(read(format.blocks, format.example)).toEqual({ status: 'complete', calls: [paris], notices: [], rest: '' })
  },
)

test.each(formatsOf('written').map((format) => [format.name, format] as const))(
  '%s: its tree is written as its example',
  (_, format) => {
    const [block] = format.blocks
    const call = { name: 'get_weather', id: '0', arguments: '{"city": "Paris", "days": 3}' }
    expect(block && writeCalls(block.tree, [call], tools)).toBe(format.example)
  },
)

/** Values that are read back only if markers and line breaks are kept apart from them. */
const hard = {
  note: '\n<b> </parameter> & "x" \n',
  filter: { a: [1, 'x', { b: null }], c: 'd' },
  tags: ['a', '<item>'],
  loud: true,
}

test.each(formatsOf('both').map((format) => [format.name, format] as const))(
  '%s: what is written is read back',
  (_, format) => {
    const [block] = format.blocks
    const args = JSON.stringify(hard)
    const text = block
      ? writeCalls(
          block.tree,
          [
            { name: 'plan', arguments: args },
            { name: 'plan', arguments: '{}' },
          ],
          tools,
          format,
        )
      : ''
    const blocks = block ? [{ ...block, tree: oneOrMore(sequence(block.tree, token(pattern.space()))) }] : []
    const { calls, notices, status } = read(blocks, text)
    const json = calls.map((call) => JSON.parse(call.slice('plan '.length)))
    expect({ json, notices, status }).toEqual({ json: [hard, {}], notices: [], status: 'complete' })
  },
)

/** Strings that begin, end or look like something else. */
const strings = [
  '<![CDATA[x]]>',
  '1 &lt; 2',
  'null',
  '"x"',
  '5',
  '',
  ' ',
  '\n',
  '\r\n',
  '<a>1</a>',
  '{"a":1}',
  ']]>',
  '<',
  '</',
]

test.each(formatsOf('strings').map((format) => [format.name, format] as const))(
  '%s: strings come back as they are',
  (_, format) => {
    const [block] = format.blocks
    const texts = strings.map((note) => {
      const call = { name: 'plan', arguments: JSON.stringify({ note }) }
      return block ? writeCalls(block.tree, [call], tools, format) : ''
    })
    const calls = texts.flatMap((text) => read(format.blocks, text).calls)
    expect(calls).toEqual(strings.map((note) => `plan ${JSON.stringify({ note })}`))
  },
)

test('a call that is cut in a value is left open', () => {
  for (const format of formats) {
    const at = format.example.indexOf('Par') + 3
    const { status, calls } = read(format.blocks, format.example.slice(0, at), true)
    expect([format.name, status, calls]).toEqual([format.name, 'broken', ['get_weather {"city":"Par']])
  }
})
