// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { absent, clients } from '../agents/index.mjs'
import { projectFolder } from '../build.mjs'
import { absentRow, fromMarkdown, identify, mergeRows, rowOf, splitReadme, toMarkdown } from './table.mjs'

const row = { client: 'A', version: '1.0.0', protocol: 'Chat', roundTrip: 'yes', deep: 'yes' }

describe('the table of clients', () => {
  it('is read as it was written', () => {
    const rows = [row, { ...row, protocol: 'Gemini', deep: 'no; no image: it has none' }]
    expect(fromMarkdown(toMarkdown(rows))).toEqual(rows)
  })

  it('keeps rows that were not run, replaces those that were, and loses what is no longer there', () => {
    const other = { ...row, client: 'B' }
    const gone = { ...row, client: 'C' }
    const failed = { ...row, deep: 'no' }
    expect(mergeRows([row, other, gone], [failed], [other, row])).toEqual([other, failed])
  })

  it('has no results of a version before that version was run', () => {
    const newer = { ...row, version: '1.1.0' }
    expect(mergeRows([row], [], [newer])).toEqual([{ ...newer, roundTrip: 'not run yet', deep: 'not run yet' }])
  })

  it('says no for a scenario that failed or was not run', () => {
    const [client] = clients
    const [mode] = client?.modes ?? []
    if (!client || !mode) throw new Error('there is no client')
    const passed = { scenario: 'round trip', seconds: 1, summary: '', problems: [], tail: [] }
    const failed = { ...passed, scenario: 'deep', problems: ['the file differs'] }
    const made = rowOf(client, mode, [passed, failed])
    expect([made.roundTrip, made.deep.split(';')[0]]).toEqual(['yes', 'no'])
  })

  it('needs its marks in order', () => {
    expect(() => splitReadme('<!-- clients: end --> <!-- clients: begin -->', 'clients')).toThrow('clients: begin')
  })

  it('has a row in the README for each way of each client, in the version that is run', () => {
    const { table } = splitReadme(readFileSync(join(projectFolder, 'README.md'), 'utf8'), 'clients')
    const ways = clients.flatMap((client) => client.modes.map((mode) => identify(client, mode)))
    const named = fromMarkdown(table).map(({ client, version, protocol }) => ({ client, version, protocol }))
    const missing = absent.map(absentRow).map(({ client, version, protocol }) => ({ client, version, protocol }))
    expect(named).toEqual([...ways, ...missing])
  })
})

describe('clients', () => {
  it('have ids and rows of their own', () => {
    const ids = clients.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const rows = clients.flatMap((client) => client.modes.map((mode) => JSON.stringify(identify(client, mode))))
    expect(new Set(rows).size).toBe(rows.length)
  })

  it('have a core of six, in all protocols', () => {
    const core = clients.flatMap(({ id, modes }) =>
      modes.filter(({ isCore }) => isCore).map(({ protocol }) => [id, protocol]),
    )
    expect(new Set(core.map(([id]) => id)).size).toBe(6)
    const protocols = core.flatMap(([, protocol = '']) => protocol.split(', '))
    expect(new Set(protocols)).toEqual(new Set(['Messages', 'Chat', 'Responses', 'Gemini', 'Ollama']))
  })

  it('say why no image reaches the model, if none does', () => {
    const silent = clients.flatMap(({ id, modes }) =>
      modes
        .filter(({ tools, withoutImage }) => (tools.image === undefined) !== (withoutImage !== undefined))
        .map(() => id),
    )
    expect(silent).toEqual([])
  })
})
