import { describe, expect, it } from 'vitest'
import { dialectNames, getDialect } from '../dialects/index.ts'
import { settingsOf, type ToolCallMiddlewareOptions } from './options.ts'

describe('options', () => {
  it.each<[string, ToolCallMiddlewareOptions, RegExp]>([
    ['an unknown dialect', { dialect: 'klingon' }, new RegExp(`^dialect: .*${dialectNames.join(', ')}`)],
    ['a trigger without <', { dialect: 'toolify', trigger: 'CALL' }, /^trigger: "CALL" has no "<"/],
    ['a trigger that the model never hears of', { dialect: 'toolify', tools: 'assume' }, /^tools: with "assume"/],
    ['a trigger that the provider never tells', { dialect: 'toolify', tools: 'pass' }, /^tools: with "pass"/],
  ])('refuses %s', (_, options, message) => {
    expect(() => settingsOf(options)).toThrow(message)
  })

  it('takes a dialect as an object', () => {
    const dialect = getDialect('toolify')
    expect(settingsOf({ ...(dialect && { dialect }) }).dialect).toBe(dialect)
  })

  it.runIf(getDialect('universal'))('reads whatever the model writes unless told otherwise', () => {
    expect(settingsOf({}).dialect.name).toBe('universal')
  })
})
