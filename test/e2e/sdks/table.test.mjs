// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../clients/build.mjs'
import { fromMarkdown, splitReadme } from '../clients/run/table.mjs'
import { sdks } from './sdks.mjs'
import { tableRows } from './table.mjs'

const row = { client: 'A', version: '1.0.0', protocol: 'Chat', roundTrip: 'pass', deep: 'pass', problems: [] }

describe('the table of SDKs', () => {
  it.each([
    ['a protocol', [{ ...row, note: 'parse, stream' }], ['Chat', 'yes', 'yes; parse; stream']],
    [
      'replies whole and streamed',
      [row, { ...row, protocol: 'Chat, streamed', deep: 'none' }],
      ['Chat, whole and streamed', 'yes', 'yes'],
    ],
    [
      'what both tried, once',
      [
        { ...row, protocol: 'Chat, whole', note: 'parse' },
        { ...row, protocol: 'Chat, streamed', note: 'parse' },
      ],
      ['Chat, whole and streamed', 'yes', 'yes; parse'],
    ],
    [
      'one of two that failed',
      [row, { ...row, protocol: 'Chat, streamed', roundTrip: 'fail' }],
      ['Chat, whole and streamed', 'no', 'yes'],
    ],
    ['streams alone', [{ ...row, protocol: 'Chat, streamed' }], ['Chat, streamed', 'yes', 'yes']],
    [
      'an SDK that cannot be installed',
      [{ ...row, protocol: '-', roundTrip: 'npm cannot install it', deep: '-' }],
      ['-', 'npm cannot install it', '-'],
    ],
  ])('has one row for %s', (_, ran, cells) => {
    expect(tableRows(ran).map(({ protocol, roundTrip, deep }) => [protocol, roundTrip, deep])).toEqual([cells])
  })

  it('has rows in the README for each SDK, in the version that is run, and no others', () => {
    const { table } = splitReadme(readFileSync(join(projectFolder, 'README.md'), 'utf8'), 'sdks')
    const rows = fromMarkdown(table)
    expect(new Set(rows.map(({ client, version }) => `${client} ${version}`))).toEqual(
      new Set(sdks.map(({ title, main, packages }) => `${title} ${packages[main]}`)),
    )
    expect(rows.filter(({ roundTrip }) => roundTrip === 'not run yet')).toEqual([])
  })
})
