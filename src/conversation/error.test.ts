import { describe, expect, test, vi } from 'vitest'
import { AnycallError } from './error.ts'

describe('AnycallError.isInstance', () => {
  test.each<[string, unknown, boolean]>([
    ['its own', new AnycallError('internal', 'x'), true],
    ['a class of its own below it', new (class extends AnycallError {})('internal', 'x'), true],
    ['another error', new Error('x'), false],
    ['an object of the same form', { name: 'AnycallError', code: 'internal', message: 'x' }, false],
    ['nothing', undefined, false],
    ['null', null, false],
    ['text', 'AnycallError', false],
  ])('%s', (_, value, expected) => expect(AnycallError.isInstance(value)).toBe(expected))

  test('knows the error of another copy of the package', async () => {
    vi.resetModules()
    const other = await import('./error.ts')
    const error = new other.AnycallError('invalid-request', 'x', { param: 'tools' })
    expect(error instanceof AnycallError).toBe(false)
    expect(AnycallError.isInstance(error)).toBe(true)
  })
})
