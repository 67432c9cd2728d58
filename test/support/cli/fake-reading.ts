import type { CliReadOptions, ReadReport, ReadServices, SpanRole } from '../../../src/cli/io/io.ts'
import type { FinishReason, ReplyEvent } from '../../../src/conversation/index.ts'

/** The results of a fake reader for one push, or for the end. */
export interface FakeStep {
  events?: readonly ReplyEvent[]
  spans?: readonly (readonly [role: SpanRole, start: number, end: number])[]
}

/** For tests: a reading module whose reader returns the given results, and records its inputs. */
export interface FakeReading extends ReadServices {
  options?: CliReadOptions
  pushed: string[]
  ended: FinishReason | undefined
}

/** `steps` are for the pushes in their order; the last is for the end. Pushes beyond them give nothing. */
export function fakeReading(steps: readonly FakeStep[] = [], report: Partial<ReadReport> = {}): FakeReading {
  const reading: FakeReading = {
    dialects: [
      { name: 'plain', families: 'Plain 1', source: 'a page', usesTrigger: false, example: '<call>\nf' },
      { name: 'triggered', families: 'Triggered 2', source: 'a book', usesTrigger: true, example: '!!\nf' },
    ],
    pushed: [],
    ended: undefined,
    createReader: (options) => {
      reading.options = options
      const give = ({ events = [], spans = [] }: FakeStep): ReplyEvent[] => {
        for (const [role, start, end] of spans) options.trace?.(role, start, end)
        return [...events]
      }
      return {
        push: (text) => {
          reading.pushed.push(text)
          const index = reading.pushed.length - 1
          return give((index < steps.length - 1 && steps[index]) || {})
        },
        end: (reason = 'stop') => {
          reading.ended = reason
          return give(steps.at(-1) ?? {})
        },
        report: { sawToolCallSyntax: false, rejectedByPolicy: false, rejectedToolNames: [], ...report },
      }
    },
  }
  return reading
}
