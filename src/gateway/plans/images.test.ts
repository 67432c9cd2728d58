import { describe, expect, test } from 'vitest'
import { conversation, serve, source } from '../../../test/support/gateway/plans.ts'
import type { ImagePart, TextPart, Turn, UserPart } from '../../conversation/index.ts'
import { hasImages, withImageNotes } from './images.ts'
import { templated } from './templated.ts'

const image: ImagePart = { type: 'image', url: 'data:image/png;base64,AAAA' }
const text = (said: string): TextPart => ({ type: 'text', text: said })
const user = (...parts: UserPart[]): Turn => ({ role: 'user', parts })
const result = (...content: (TextPart | ImagePart)[]): UserPart => {
  return { type: 'result', callId: 'c', name: 'look', content, isError: false }
}
const answer: Turn = { role: 'assistant', parts: [text('A cat.')] }

test.each<[what: string, turns: Turn[], has: boolean, noted: Turn[]]>([
  ['text alone', [user(text('Hi')), answer], false, [user(text('Hi')), answer]],
  [
    'an image of an earlier turn',
    [user(image, text('What is this?')), answer, user(text('Sure?'))],
    true,
    [user(text('[image]'), text('What is this?')), answer, user(text('Sure?'))],
  ],
  ['an image in a result', [user(result(text('Here:'), image))], true, [user(result(text('Here:'), text('[image]')))]],
  ['system text', [{ role: 'system', text: 'Be brief.' }], false, [{ role: 'system', text: 'Be brief.' }]],
])('%s', (_, turns, has, noted) => {
  const asked = conversation({ turns })
  expect(hasImages(asked)).toBe(has)
  expect(withImageNotes(asked).turns).toEqual(noted)
})

describe('a template that writes a token for an image', () => {
  /** Qwen-VL's way with parts, before the way of the other tests. */
  const template = source.replace(
    "{{ m.content or '' }}",
    "{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content or [] %}{% if part.type == 'image_url' %}<|image_pad|>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}",
  )
  const serveTurns = (turns: Turn[]) => serve(templated, [{ pieces: ['A dog.'] }], { turns }, 0, template)

  test('gets a note for it, and the client is told', async () => {
    const { requests, codes } = await serveTurns([user(image, text('What is this?'))])
    const [request] = requests
    const prompt = request?.type === 'prompt' ? request.prompt : ''
    expect(prompt).toContain('<|im_start|>user\n[image]\nWhat is this?<|im_end|>')
    expect(prompt).not.toContain('<|image_pad|>')
    expect(codes).toEqual(['image-left-out'])
  })

  test('without images is asked as ever', async () => {
    expect((await serveTurns([user(text('What is this?'))])).codes).toEqual([])
  })
})
