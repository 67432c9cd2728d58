import { expect, test } from 'vitest'
import { withPlainMembers } from './plain-members.mjs'

test.each([
  ['a field', 'class A { #n = 1; get() { return this.#n } }', 'class A { _n = 1; get() { return this._n } }'],
  [
    'a method, an accessor and a static member',
    'class A { #m() {} get #g() { return 1 } static #s = 2; f() { return this.#m() + this?.#g + A.#s } }',
    'class A { _m() {} get _g() { return 1 } static _s = 2; f() { return this._m() + this?._g + A._s } }',
  ],
  ['a class expression', 'const a = class { #n; n = () => this.#n }', 'const a = class { _n; n = () => this._n }'],
  ['a question for a member', 'class A { #n; is(o) { return #n in o } }', "class A { _n; is(o) { return '_n' in o } }"],
  ['text before it that is longer in bytes', '/* ä😀 */ class A { #n }', '/* ä😀 */ class A { _n }'],
])('%s', (_, code, plain) => {
  expect(withPlainMembers(code)).toBe(plain)
})

test.each([
  ['a class that extends another', 'class B extends A { #n; f() { return this.#n } }'],
  ['a mark in a text, an expression or a comment', 'const a = "this.#n", b = /#n/ // #n'],
])('%s stays as it is', (_, code) => {
  expect(withPlainMembers(code)).toBe(code)
})

test('of two classes, one within the other, each name is that of the class which declares it', () => {
  const code = 'class A extends O { #a; f() { return class { #b; g(o) { return o.#a + this.#b } } } }'
  expect(withPlainMembers(code)).toBe(
    'class A extends O { #a; f() { return class { _b; g(o) { return o.#a + this._b } } } }',
  )
})

test('a class that has a member of the plain name is an error', () => {
  expect(() => withPlainMembers('class A { #n; _n }')).toThrow('both #n and _n')
})

test('code that cannot be read is an error', () => {
  expect(() => withPlainMembers('class {')).toThrow('cannot be read')
})
