import { describe, expect, test } from 'vitest'
import { testTemplates } from '../../../../test/support/templates/templates.ts'
import { analyzeTemplate, safeLoadTemplate } from '../../index.ts'
import type { Comparison } from '../probes/finding.ts'

function comparisonsOf(source: string): readonly Comparison[] {
  const loaded = safeLoadTemplate(source, { specialTokens: { bos_token: '<s>', eos_token: '</s>' } })
  if (loaded.type === 'error') throw new Error(loaded.message)
  return analyzeTemplate(loaded.template).comparisons
}

const ofTemplate = new Map(testTemplates.map(({ name, source }) => [name, source]))

describe('the comparisons of a template', () => {
  test.each(testTemplates.map(({ name, source }) => [name, source] as const))(
    '%s are each there once, without the words of probes',
    (_, source) => {
      const comparisons = comparisonsOf(source)
      const titles = comparisons.map(({ id, title }) => `${id} ${title}`)
      expect(new Set(titles).size).toBe(titles.length)
      const ids = comparisons.map(({ id }) => id)
      for (const id of ['R1', 'R2', 'R3', 'C1', 'T1', 'T2', 'T3', 'T4', 'T7']) expect(ids).toContain(id)
      for (const { shown, finding } of comparisons) {
        expect(finding).not.toBe('')
        expect([finding, ...shown].join('')).not.toMatch(/xq3|[\ue000-\uf8ff]/i)
      }
    },
  )

  test.each<[name: string, id: string, finding: string, shown?: string]>([
    ['names-as-tags', 'T1', 'the name and each argument in markers, strings as they are'],
    ['names-as-tags', 'T2', 'all are between "<actions>" and "\\n</actions>", each is between "\\n<" and "\\n</NAME>"'],
    ['names-as-tags', 'T6', 'after the name is ">"', '<actions>\n<NAME/>\n</actions>'],
    ['names-as-tags', 'A1', 'the key is KEY in "\\n<KEY>"'],
    ['name-as-key-in-fence', 'T3', 'there is "---"'],
    ['name-as-key-in-fence', 'T4', 'the name is the key of the arguments'],
    ['name-as-key-in-fence', 'T7', 'left out'],
    ['name-as-key-in-fence', 'R1', 'from the beginning to "[FINAL]"', 'REASONING\n[FINAL]\nTEXT<s_end>\n'],
    ['attributes-and-json', 'T7', 'it is written at ID', '<invoke tool=\'NAME\' id=\'ID\'>{"KEY": "VALUE"}</invoke>'],
    ['ids-with-names', 'T7', 'it names the tool, so it must be functions.NAME:INDEX'],
    ['hermes-tags', 'T4', 'the name is the value of "name"'],
  ])('%s %s: %s', (name, id, finding, shown) => {
    const found = comparisonsOf(ofTemplate.get(name) ?? '').filter((one) => one.id === id)
    expect(found.map((one) => one.finding)).toEqual([finding])
    if (shown !== undefined) expect(found[0]?.shown).toContain(shown)
  })

  test('a form of calls that is not known is said to be none', () => {
    const odd =
      "{% for m in messages %}{{ m.content or '' }}{% for c in m.tool_calls or [] %}{{ c.function.arguments | length }}{{ c.function.arguments }}{{ c.function.name | reverse }}{{ c.function.name }}{% endfor %}{% endfor %}"
    const found = comparisonsOf(odd).filter(({ id }) => id.startsWith('T'))
    expect(found.map(({ id, finding }) => [id, finding])).toEqual([['T1', 'the form is not known']])
  })

  test('a template without calls has none of calls', () => {
    const ids = comparisonsOf('{% for m in messages %}{{ m.role + m.content }}{% endfor %}').map(({ id }) => id)
    expect(ids).toEqual(['R2', 'R1', 'R3', 'C1'])
  })
})
