// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseTextCase } from './text-case.mjs'

const data = new URL('../../../../shared/conformance/texts/seed-systems.json', import.meta.url)

describe.skipIf(!existsSync(data))(
  'the texts of the seed systems (skipped where the folder with them is absent)',
  () => {
    it('are understood wholly', () => {
      /** @type {Record<string, unknown>[]} */
      const cases = JSON.parse(readFileSync(data, 'utf8'))
      expect(cases.length).toBeGreaterThan(0)
      for (const json of cases) {
        const { id, warnings, messages } = parseTextCase(json)
        expect({ id, warnings }).toEqual({ id: json.id, warnings: [] })
        expect(messages[0].calls).toBeDefined()
      }
    })
  },
)
