// @ts-check
import { describe, expect, it, onTestFinished } from 'vitest'
import { testLibrary } from '../library/test-library.mjs'
import { folderOf, testTemplateLibrary } from '../library/test-templates.mjs'
import { roundTripMessages } from './messages.mjs'
import { roundTrip } from './round-trip.mjs'
import { shownOf } from './shown.mjs'
import { formatMarks } from './values.mjs'

const drawing = { seed: 1, random: 20 }

/** @param {string} template */
function score(template) {
  return roundTrip.score(folderOf({ a: template }, {}, onTestFinished), testTemplateLibrary, drawing)
}

/**
 * @param {ReturnType<typeof score>} result
 * @param {string} id
 */
function failure(result, id) {
  return result?.failures.find((failure) => failure.id === `a/${id}`)?.differences
}

describe('the round trip', () => {
  it('passes for what is read as it was written, and fails for what is not', () => {
    const result = score('')
    expect(result?.total).toBe(roundTripMessages(drawing, { own: [], foreign: formatMarks }).length + 1)
    for (const id of ['text', 'no arguments', 'an object', 'reasoning, text and a call', 'three calls']) {
      expect(failure(result, id)).toBeUndefined()
    }
    // The reader that stands in for a real one takes the first bracket for the end of the call.
    expect(failure(result, 'a list of integers')?.[0]).toMatchObject({ what: 'fault' })
    expect(result?.notes).toBeUndefined()
  })

  it('compares ids where they are written', () => {
    expect(failure(score('ids'), 'two calls')).toBeUndefined()
  })

  it.each([
    ['silent', 'reasoning and text', 'not shown: reasoning ('],
    ['silent', 'reasoning and a call', 'not shown: reasoning beside calls ('],
    ['sparse', 'null', 'not shown: null members ('],
    ['single', 'three calls', 'not shown: a call ('],
  ])('%s: does not compare what is not shown, and counts it', (template, id, note) => {
    const result = score(template)
    expect(failure(result, id)).toBeUndefined()
    expect(result?.notes?.['a.jinja']).toContainEqual(expect.stringContaining(note))
  })

  it('tells where what was read is written alike', () => {
    const differences = failure(score('alike'), 'the string "3"')
    expect(differences?.[0]).toMatchObject({ what: 'calls', got: expect.stringMatching(/"zq\d+z_a": 3}/) })
    expect(differences?.[1]).toMatchObject({ what: 'ambiguous' })
    expect(failure(score(''), 'a list of integers')?.some(({ what }) => what === 'ambiguous')).toBe(false)
  })

  it('leaves out what the template refuses', () => {
    const result = score('refuses')
    expect(result).toMatchObject({ passed: 0, total: 0, warnings: ['a.jinja has no cases'] })
    expect(result?.notes?.['a.jinja']).toEqual([expect.stringContaining('a message that the template refuses (')])
  })

  it('leaves out what the template refuses because of the tools', () => {
    const result = score('picky')
    expect(result?.notes?.['a.jinja']).toEqual([expect.stringContaining('tools that the template refuses (')])
    expect(failure(result, 'text')).toBeUndefined()
  })

  it.each([
    ['forgets', 'text and a call', 'text beside calls: left out, though the template shows it in a prompt'],
    ['shy', 'a string', 'is refused, though the template takes the message in a prompt'],
  ])('%s: fails where a reply has less than a prompt', (template, id, note) => {
    expect(failure(score(template), id)).toEqual([{ what: 'reply', note }])
  })

  it('fails where the prompt takes the past for a reply that is begun', () => {
    const [difference] = failure(score('repeats'), 'a prompt after results') ?? []
    expect(difference).toMatchObject({ what: 'begun', note: expect.stringContaining('_tool') })
  })

  it.each(['broken', 'loops'])('fails where the template is %s', (template) => {
    expect(score(template)).toMatchObject({ passed: 0, total: 1, failures: [{ differences: [{ what: 'template' }] }] })
  })

  it('is of templates that render calls, and of a library that analyses them', () => {
    expect(score('plain')).toBeUndefined()
    expect(roundTrip.score(folderOf({ a: '' }, {}, onTestFinished), testLibrary, drawing)).toBeUndefined()
  })
})

describe('the messages', () => {
  const marks = { own: ['<own>'], foreign: ['<foreign>'] }

  it('are the same for the same seed only, and as many as asked for', () => {
    const of = (/** @type {number} */ seed) => JSON.stringify(roundTripMessages({ seed, random: 5 }, marks))
    expect(of(1)).toBe(of(1))
    expect(of(1)).not.toBe(of(2))
    const fixed = roundTripMessages({ seed: 1, random: 0 }, marks).length
    expect(roundTripMessages({ seed: 1, random: 5 }, marks)).toHaveLength(fixed + 5)
  })

  it('have a tool for each call, and names of their own', () => {
    for (const { parts, tools } of roundTripMessages({ seed: 1, random: 50 }, marks)) {
      const calls = parts.filter((part) => part.type === 'call')
      expect(calls.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
      for (const [at, call] of calls.entries()) {
        expect(Object.keys(JSON.parse(call.arguments))).toEqual(Object.keys(tools[at]?.schema.properties ?? {}))
      }
      const nonces = JSON.stringify(parts).match(/zq\d+z/g) ?? []
      expect(new Set(nonces).size).toBe(nonces.length)
    }
  })
})

describe('what is shown', () => {
  /** @type {import('../../../src/index.ts').AssistantPart[]} */
  const parts = [
    { type: 'reasoning', text: 'zq1z Hm.' },
    { type: 'text', text: 'zq2z So.' },
    {
      type: 'call',
      id: 'call_zq5z',
      name: 'zq4z_f',
      arguments: '{"zq3z_a": {"zq6z_b": 12345678901234567, "zq7z_c": null}}',
    },
  ]
  const whole = 'zq1z zq2z zq3z zq4z zq6z zq7z'

  it.each([
    [whole, []],
    [whole.replace('zq1z', ''), ['reasoning beside calls']],
    [whole.replace('zq2z', ''), ['text beside calls']],
    [whole.replace('zq3z', ''), ['object members']],
    [whole.replace('zq4z', ''), ['a call']],
    [whole.replace('zq6z', ''), ['number members']],
    [whole.replace('zq7z', ''), ['null members']],
  ])('of %j is all but %j', (written, left) => expect([...shownOf(parts, written).left.keys()]).toEqual(left))

  it('is what is to be read', () => {
    const { reply } = shownOf(parts, `${whole.replace('zq2z', '').replace('zq7z', '')} call_zq5z`)
    expect(reply).toMatchObject({ content: '', reasoning: 'zq1z Hm.', isCut: false })
    expect(reply.calls).toMatchObject([{ name: 'zq4z_f', id: 'call_zq5z', arguments: { zq3z_a: {} } }])
    expect(reply.calls[0]?.arguments).not.toHaveProperty('zq3z_a.zq7z_c')
  })

  it('has no id that comes after the arguments, for the call is out by then', () => {
    expect(shownOf(parts, `${whole} {} call_zq5z`).reply.calls[0]).not.toHaveProperty('id')
  })

  it('keeps long numbers digit by digit', () => {
    expect(shownOf(parts, whole).reply.calls[0]?.json).toContain('12345678901234567,')
  })
})
