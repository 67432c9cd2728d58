import { describe, expect, it } from 'vitest'
import { NoticeList } from '../../notices.ts'
import { readBlocks, readShown } from './blocks.ts'

function shown(block: object): { parts: unknown[]; codes: string[] } {
  const notices = new NoticeList()
  const parts = readBlocks([block], 'content').flatMap((inner) => readShown(inner, notices))
  return { parts, codes: notices.list.map((notice) => notice.code) }
}

const text = (value: string) => ({ type: 'text', text: value })

describe('blocks that are shown', () => {
  it.each<[string, object, unknown[]]>([
    ['text', text('hi'), [text('hi')]],
    ['text with a cache mark', { ...text('hi'), cache_control: { type: 'ephemeral' } }, [text('hi')]],
    ['empty text', text(''), []],
    [
      'base64 image',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      [{ type: 'image', url: 'data:image/png;base64,AAAA' }],
    ],
    [
      'image by URL',
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      [{ type: 'image', url: 'https://a.example/b.png' }],
    ],
    [
      'text document',
      { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'body' } },
      [text('Notes\n\nbody')],
    ],
    [
      'document of blocks',
      {
        type: 'document',
        context: 'from mail',
        source: {
          type: 'content',
          content: [text('one'), { type: 'image', source: { type: 'url', url: 'https://a.example/i.png' } }],
        },
      },
      [text('from mail'), text('one'), { type: 'image', url: 'https://a.example/i.png' }],
    ],
    [
      'search result',
      { type: 'search_result', title: 'T', source: 'https://a.example', content: [text('one'), text('two')] },
      [text('T\n\nhttps://a.example\n\none\n\ntwo')],
    ],
  ])('%s', (_name, block, parts) => {
    expect(shown(block)).toEqual({ parts, codes: [] })
  })

  it.each<[string, object, unknown[]]>([
    ['unknown type', { type: 'hologram', data: 'x' }, []],
    ['type named like a property of every object', { type: '__proto__' }, []],
    ['unknown type with text', { type: 'hologram', text: 'kept' }, [text('kept')]],
    ['unknown type with content', { type: 'hologram', content: 'kept' }, [text('kept')]],
    [
      'web search result',
      { type: 'web_search_tool_result', tool_use_id: 'x', content: [{ type: 'web_search_result', url: 'u' }] },
      [text('u')],
    ],
    [
      'unknown type with text in its blocks',
      { type: 'hologram', content: [text('one'), 7, { text: 7 }, text('two')] },
      [text('one\n\ntwo')],
    ],
  ])('%s: a notice, and its text', (_name, block, parts) => {
    expect(shown(block)).toEqual({ parts, codes: ['block-unsupported'] })
  })

  it.each<[string, object]>([
    ['PDF', { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }],
    ['uploaded image', { type: 'image', source: { type: 'file', file_id: 'file_1' } }],
  ])('%s: the model is told that something was there', (_name, block) => {
    const { parts, codes } = shown(block)
    expect(codes).toEqual(['block-unsupported'])
    expect(parts).toEqual([text(expect.stringMatching(/^\[Attached here: .*not available/))])
  })

  it.each<[string, unknown, string]>([
    ['no content', undefined, 'content: expected a string or an array of content blocks, got nothing'],
    ['number as content', 5, 'content: expected a string or an array of content blocks, got the number 5'],
    ['string as block', ['hi'], 'content[0]: expected an object, got the string "hi"'],
    ['no type', [{ text: 'hi' }], 'content[0].type: expected a string, got nothing'],
    ['text that is none', [{ type: 'text', text: 1 }], 'content[0].text: expected a string, got the number 1'],
    ['image without source', [{ type: 'image' }], 'content[0].source: expected an object, got nothing'],
    [
      'image that is none',
      [{ type: 'image', source: { type: 'base64', media_type: 'text/html', data: '' } }],
      'content[0].source.media_type: expected an image type such as image/png, got "text/html"',
    ],
    [
      'image from the disk of the server',
      [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }],
      'content[0].source.url: expected an https: or data: URL, got "file:///etc/passwd"',
    ],
    [
      'call that is not an assistant’s',
      [{ type: 'tool_use', id: 'a', name: 'b', input: {} }],
      'content[0]: a tool_use block may only be in the content of an assistant message',
    ],
  ])('refuses %s', (_name, content, message) => {
    const read = () => readBlocks(content, 'content').flatMap((block) => readShown(block, new NoticeList()))
    expect(read).toThrow(message)
  })
})
