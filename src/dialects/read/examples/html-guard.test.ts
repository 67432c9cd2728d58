import { describe, expect, it } from 'vitest'
import { HtmlGuard } from './html-guard.ts'

describe('HtmlGuard', () => {
  it.each<[text: string, isShown: boolean, openBlock: string]>([
    ['', false, ''],
    ['a < b', false, ''],
    ['<pre>', true, '<pre'],
    ['<p>So:</p> <pre class="x"><code>', true, '<pre'],
    ['<li><PRE> ', true, '<pre'],
    ['<pre>x', false, '<pre'],
    ['The <pre> tag', false, ''],
    ['The <pre> tag\n', false, ''],
    ['The <code>', true, '<code'],
    ['The <code>x</code>', false, ''],
    ['<pre>\n', true, '<pre'],
    ['<pre>\nx', true, '<pre'],
    ['<pre>\nx\n</pre>', false, ''],
    ['<pre><code>\nx\n</code>', true, '<pre'],
    ['<pre>\nx</pre>\n', false, ''],
    ['<!-- x', true, '<!--'],
    ['<!--\nx', true, '<!--'],
    ['<!--\nx -', true, '<!--'],
    ['<!--\nx -->', false, ''],
    ['x <!-- y\n', false, ''],
    ['<prefix>', false, ''],
  ])('%j', (text, isShown, openBlock) => {
    for (const pieces of [[text], text.split('')]) {
      const guard = new HtmlGuard()
      for (const piece of pieces) {
        for (const [at, line] of piece.split('\n').entries()) {
          if (at > 0) guard.endLine()
          if (line !== '') guard.feed(line)
        }
      }
      expect([guard.isShown, guard.openBlock]).toEqual([isShown, openBlock])
    }
  })
})
