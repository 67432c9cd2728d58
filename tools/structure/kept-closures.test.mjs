import { expect, test } from 'vitest'
import { keptClosures } from './kept-closures.mjs'

test.each([
  ['an arrow function', 'function f(o) {\n  o.g = () => o\n}'],
  ['a function expression', 'const f = (o) => {\n  o.g = function () {}\n}'],
  ['a private member', 'class C { #g; constructor(x) {\n  this.#g = () => x\n} }'],
  ['an element', 'function f(o) {\n  o[0] = (() => o)\n}'],
  ['a member that is set if it is missing', 'function f(o) {\n  o.g ??= async () => o\n}'],
])('a fault: %s', (_, source) => {
  expect(keptClosures(source, 'x.ts')).toEqual([expect.stringMatching(/^x\.ts:2: a function literal assigned/)])
})

test.each([
  ['a variable', 'function f(o) { const g = () => o; o.g = g }'],
  ['a member of an object literal', 'function f(o) { return { g: () => o, h() { return o } } }'],
  ['a field of a class', 'class C { g = () => this }'],
  ['a part of the value', 'function f(o) { o.g = o.h && (() => o) }'],
  ['a function that the module makes once', 'const o = {}\no.g = () => o'],
])('no fault: %s', (_, source) => {
  expect(keptClosures(source, 'x.ts')).toEqual([])
})
