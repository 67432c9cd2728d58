import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeReading, type FakeStep, fakeReading } from '../../../test/support/cli/fake-reading.ts'
import { type FakeWorld, fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { AnycallError, type ReplyEvent } from '../../conversation/index.ts'
import type { Io } from '../io/io.ts'
import { run } from '../run.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anycall-read-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string): string {
  const path = join(folder, `${Math.random()}.json`)
  writeFileSync(path, text)
  return path
}

interface World extends FakeWorld {
  code: Promise<number>
}

function read(args: readonly string[], stdin: Readable, reading: FakeReading, io: Partial<Io> = {}): World {
  const world = fakeWorld()
  const code = run(['node', 'anycall', 'read', ...args], {
    io: { ...world.io, stdin: () => stdin, ...io },
    services: { ...world.services, reading },
  })
  return Object.assign(world, { code })
}

/** Text in pieces of bytes. */
function bytes(...pieces: (string | number[])[]): Readable {
  return Readable.from(
    pieces.map((piece) => Buffer.from(piece)),
    { objectMode: false },
  )
}

const call = (json: string, complete = true): ReplyEvent[] => [
  { type: 'call-start', index: 0, id: 'c0', name: 'get_weather' },
  { type: 'call-arguments', index: 0, json },
  { type: 'call-end', index: 0, complete },
]
const text = (text: string): ReplyEvent => ({ type: 'text', text })
const reasoning = (text: string): ReplyEvent => ({ type: 'reasoning', text })
const finish: ReplyEvent = { type: 'finish', reason: 'stop' }

describe('the message', () => {
  test.each<[string, ReplyEvent[], string]>([
    ['nothing', [], ''],
    ['text without a line break', [text('a')], 'a\n'],
    ['text with one', [text('a\n'), text('b\n')], 'a\nb\n'],
    [
      'calls on lines of their own',
      [text('a '), ...call('{"x":1}'), ...call('{}'), text('b')],
      'a \ncall get_weather {"x":1}\ncall get_weather {}\nb\n',
    ],
    ['a call after a line break', [text('a\n'), ...call('{}')], 'a\ncall get_weather {}\n'],
    ['a call that broke off', call('{"x":"lo', false), 'call get_weather {"x":"lo (incomplete)\n'],
    ['reasoning after a bar', [reasoning('a\n'), reasoning('\nb'), reasoning('c'), text('d')], '│ a\n│ \n│ bc\nd\n'],
    ['reasoning that ends with a line break', [reasoning('a\n'), ...call('{}')], '│ a\ncall get_weather {}\n'],
    ['control characters, for a program', [text('\u001b[2J')], '\u001b[2J\n'],
  ])('%s', async (_, events, expected) => {
    const world = read(['--tool', 'get_weather'], bytes('x'), fakeReading([{ events }, { events: [finish] }]))
    expect(await world.code).toBe(0)
    expect(world.out).toBe(expected)
  })

  test('on a terminal: coloured, and nothing of the text steers it', async () => {
    const events = [reasoning('r'), text('\u001b[2J\t\u009b\r\n'), ...call('{}')]
    const io = { isTerminal: true }
    const world = read(['--tool', 'f'], bytes('x'), fakeReading([{ events }, { events: [finish] }]), io)
    expect(await world.code).toBe(0)
    expect(world.out).toBe(
      '\u001b[2m│ r\u001b[0m\n␛[2J\t\ufffd␍\n\u001b[1mcall\u001b[0m \u001b[1;36mget_weather\u001b[0m {}\n',
    )
    const plain = read(['--tool', 'f', '--no-color'], bytes('x'), fakeReading([{ events }, {}]), io)
    expect(await plain.code).toBe(0)
    expect(plain.out).toBe('│ r\n␛[2J\t\ufffd␍\ncall get_weather {}\n')
  })

  test('notices with their places, and the report, go to stderr', async () => {
    const notice = { code: 'repaired', message: 'A comma\ntoo many.' }
    const events: ReplyEvent[] = [
      { type: 'notice', notice: { ...notice, span: [5, 6] } },
      { type: 'notice', notice },
      ...call('{}'),
      ...call('{', false),
    ]
    const report = { rejectedByPolicy: true, rejectedToolNames: ['rm', 'a"b'] }
    const steps = [{}, { events: [...events, { type: 'finish', reason: 'length' } as const] }]
    const world = read(['--tool', 'f'], bytes('one\ntwo'), fakeReading(steps, report))
    expect(await world.code).toBe(0)
    expect(world.err).toBe(
      [
        'notice 2:2 repaired: A comma too many.',
        'notice repaired: A comma too many.',
        'report: 1 call, 1 incomplete call, finish length',
        'report: rejected by policy: "rm", "a\\"b"',
        '',
      ].join('\n'),
    )
  })

  test('syntax without a call is said', async () => {
    const world = read(['--tool', 'f'], bytes('x'), fakeReading([], { sawToolCallSyntax: true }))
    expect(await world.code).toBe(0)
    expect(world.err).toContain('report: the text has the syntax of a tool call in it, but no call was read\n')
  })
})

describe('--json', () => {
  const steps: FakeStep[] = [
    {
      events: [text('a')],
      spans: [
        ['text', 0, 1],
        ['text', 1, 2],
        ['marker', 2, 3],
      ],
    },
    { events: [finish], spans: [['rejected', 3, 4]] },
  ]

  test('gives an event a line, and the report as the last', async () => {
    const report = { sawToolCallSyntax: true, rejectedByPolicy: true, rejectedToolNames: ['rm'] }
    const world = read(['--tool', 'f', '--json'], bytes('x'), fakeReading(steps, report))
    expect(await world.code).toBe(0)
    expect(world.out).toBe(
      [
        '{"type":"text","text":"a"}',
        '{"type":"finish","reason":"stop"}',
        '{"type":"report","sawToolCallSyntax":true,"rejectedByPolicy":true,"rejectedToolNames":["rm"]}',
        '',
      ].join('\n'),
    )
    expect(world.err).toBe('')
  })

  test('with --explain the spans too, neighbours of one role as one', async () => {
    const world = read(['--tool', 'f', '--json', '--explain'], bytes('x'), fakeReading(steps))
    expect(await world.code).toBe(0)
    expect(world.out.split('\n').slice(0, 5)).toEqual([
      '{"type":"span","role":"text","start":0,"end":2}',
      '{"type":"span","role":"marker","start":2,"end":3}',
      '{"type":"text","text":"a"}',
      '{"type":"span","role":"rejected","start":3,"end":4}',
      '{"type":"finish","reason":"stop"}',
    ])
  })
})

describe('the text', () => {
  test('comes as it arrives, from standard input', async () => {
    const stdin = new PassThrough()
    const reading = fakeReading([{ events: [text('first')] }, { events: [text('second')] }, {}])
    const world = read(['--tool', 'f'], stdin, reading)
    stdin.write('1')
    await world.printed('first')
    expect(world.out).toBe('first')
    stdin.write('2')
    await world.printed('second')
    stdin.end()
    expect(await world.code).toBe(0)
    expect(reading.pushed).toEqual(['1', '2'])
    expect(reading.ended).toBe('stop')
  })

  test('a character that is split between pieces comes whole; bytes that are none are replaced', async () => {
    const reading = fakeReading()
    const euro = [...Buffer.from('€')]
    const world = read(['--tool', 'f', '-'], bytes('a', euro.slice(0, 1), euro.slice(1), [0xff], [0xe2]), reading)
    expect(await world.code).toBe(0)
    expect(reading.pushed).toEqual(['a', '€', '\ufffd', '\ufffd'])
  })

  test('a file is read without standard input', async () => {
    const reading = fakeReading()
    const world = read([file('from a file'), '--tool', 'f'], Readable.from([]), reading, {
      stdin: () => {
        throw new Error('standard input was opened')
      },
    })
    expect(await world.code).toBe(0)
    expect(reading.pushed).toEqual(['from a file'])
  })

  test('--cut says that it was cut', async () => {
    const reading = fakeReading()
    expect(await read(['--tool', 'f', '--cut'], bytes('x'), reading).code).toBe(0)
    expect(reading.ended).toBe('length')
  })

  test('Ctrl-C ends it: what was read is shown as cut', async () => {
    const stdin = new PassThrough()
    const reading = fakeReading([
      { events: [text('first')] },
      { events: [text(' held'), { type: 'finish', reason: 'length' }] },
    ])
    const world = read(['--tool', 'f'], stdin, reading)
    stdin.write('1')
    await world.printed('first')
    world.stop()
    expect(await world.code).toBe(130)
    expect(reading.ended).toBe('length')
    expect(world.out).toBe('first held\n')
    expect(world.err).toContain('report: stopped before the text was over')
    expect(stdin.destroyed).toBe(true)
  })

  test('who is to type it is told so', async () => {
    const world = read(['--tool', 'f'], Object.assign(bytes('x'), { isTTY: true }), fakeReading())
    expect(await world.code).toBe(0)
    expect(world.err).toContain('Ctrl-D on a new line ends it.')
  })
})

describe('flags', () => {
  const none = { callsInReasoning: false, looseCalls: false, naturalLanguage: false }
  const off = { standalone: false, accept: none }

  test.each<[string[], object]>([
    [[], off],
    [['--dialect', 'plain'], { ...off, dialect: 'plain' }],
    [['--trigger', '<<T>>'], { ...off, trigger: '<<T>>' }],
    [['--standalone'], { ...off, standalone: true }],
    [['--calls-in-reasoning'], { ...off, accept: { ...none, callsInReasoning: true } }],
    [['--loose-calls'], { ...off, accept: { ...none, looseCalls: true } }],
    [['--natural-language'], { ...off, accept: { ...none, naturalLanguage: true } }],
    [['--fences', 'lenient'], { ...off, accept: { ...none, fences: 'lenient' } }],
    [['--reasoning', 'open'], { ...off, reasoning: 'open' }],
    [['--delivery', 'whole'], { ...off, delivery: 'whole' }],
  ])('%j', async (flags, expected) => {
    const reading = fakeReading()
    expect(await read(['--tool', 'f', ...flags], bytes('x'), reading).code).toBe(0)
    const { tools, trace, ...options } = reading.options ?? { tools: [] }
    expect(options).toEqual(expected)
    expect(tools).toEqual([{ name: 'f', description: '', schema: {} }])
    expect(trace).toBeTypeOf('function')
  })

  test('--tools and --tool together: the file has the schema', async () => {
    const reading = fakeReading()
    const path = file('\ufeff{"tools": [{"name": "a", "input_schema": {"type": "object"}}]}')
    expect(await read(['--tool', 'b', '--tools', path, '--tool', 'a', '--tool', 'b'], bytes('x'), reading).code).toBe(0)
    expect(reading.options?.tools).toEqual([
      { name: 'a', description: '', schema: { type: 'object' } },
      { name: 'b', description: '', schema: {} },
    ])
  })

  test.each<[string[], string]>([
    [
      [],
      'error: no tools were given, and only a tool that is offered can be called; name a file with --tools FILE, or a tool with --tool NAME\n',
    ],
    [['--tool', ' '], 'error: --tool: the name is empty\n'],
    [
      ['--tool', 'f', '--dialect', 'plian'],
      'error: --dialect: there is no dialect "plian"; did you mean plain? run "anycall dialects" for the list\n',
    ],
    [
      ['--tool', 'f', '--dialect', 'zz'],
      'error: --dialect: there is no dialect "zz"; run "anycall dialects" for the list\n',
    ],
    [['--tool', 'f', '--trigger', ''], 'error: --trigger: the trigger is empty\n'],
    [['--tool', 'f', '--fences', 'x'], 'Allowed choices are strict, lenient'],
    [['--tool', 'f', '--reasoning', 'x'], 'Allowed choices are detect, open'],
    [['--tool', 'f', '--delivery', 'x'], 'Allowed choices are live, whole'],
    [['--tool', 'f', '--explian'], "unknown option '--explian'\n(Did you mean --explain?)"],
    [['--tool', 'f', '/nowhere/reply.txt'], 'error: /nowhere/reply.txt: there is no such file\n'],
    [['--tool', 'f', tmpdir()], `error: ${tmpdir()}: this is a directory; name a file in it\n`],
    [['--tools', '/nowhere/tools.json'], 'error: /nowhere/tools.json: there is no such file\n'],
  ])('%j is wrong', async (args, expected) => {
    const world = read(args, bytes('x'), fakeReading())
    expect(await world.code).toBe(2)
    expect(world.err).toContain(expected)
    expect(world.out).toBe('')
  })

  test.each([
    ['', ': the file is empty; expected a list of tools, as JSON'],
    ['[{\n  "name": "a",\n}]', ':3:1: this is not JSON: expected a key in double quotes, got "}]"'],
    ['[{"name": "a"}', ':1:15: this is not JSON: expected a comma or ], got the end of the file'],
    ['[]', ': there are no tools in it, and only a tool that is offered can be called'],
    ['["a", 5]', ': tools[1] is a number; a tool is '],
  ])('a tools file %j is wrong', async (content, expected) => {
    const path = file(content)
    const world = read(['--tools', path], bytes('x'), fakeReading())
    expect(await world.code).toBe(2)
    expect(world.err).toContain(`error: ${path}${expected}`)
  })

  test('options that the reader refuses are wrong usage', async () => {
    const reading = fakeReading()
    reading.createReader = () => {
      throw new AnycallError('invalid-request', 'these do not go together')
    }
    const world = read(['--tool', 'f'], bytes('x'), reading)
    expect(await world.code).toBe(2)
    expect(world.err).toBe('error: these do not go together\n')
  })
})
