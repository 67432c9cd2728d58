import { expect, test } from 'vitest'
import type { JsonObject } from '../../../conversation/index.ts'
import { builtInTools } from './tool-kinds.ts'
import { decodeTools } from './tools.ts'

function descriptionWith(environment: JsonObject): string | undefined {
  return decodeTools({ tools: [{ type: 'shell', environment }] }, [], []).tools[0]?.description
}

const pdf = { name: 'pdf', description: 'Fills forms.', path: '/skills/pdf' }

test('the description of a shell has the name, description and path of each of its skills', () => {
  const lines = descriptionWith({ type: 'local', skills: [pdf, { name: 'csv', path: '/skills/csv' }] })?.split('\n')
  expect(lines?.[0]).toBe(builtInTools.shell.description)
  expect(lines?.slice(-2)).toEqual(['- pdf (/skills/pdf): Fills forms.', '- csv (/skills/csv)'])
})

test.each<JsonObject>([{}, { skills: null }, { skills: [] }])('a shell with %j has the plain description', (given) => {
  expect(descriptionWith({ type: 'local', ...given })).toBe(builtInTools.shell.description)
})

test.each<[JsonObject, string]>([
  [{ name: 'pdf' }, 'tools[0].environment.skills[0].path'],
  [{ path: '/skills/pdf' }, 'tools[0].environment.skills[0].name'],
])('the skill %j is an error at %s', (skill, param) => {
  expect(() => descriptionWith({ type: 'local', skills: [skill] })).toThrow(expect.objectContaining({ param }))
})
