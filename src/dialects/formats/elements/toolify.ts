import { type Expression, oneOrMore, sequence, tolerated } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { gap, invocation } from '../parts/invocation.ts'
import { xmlBlocks } from './xml-calls.ts'

const invoke: Expression = invocation({ elements: ['invoke'], parameters: ['parameter'], between: '\n' })

/** Calls as tags after a trigger line that only this conversation has; therefore they count wherever they are. */
export const toolify: FormatData = {
  name: 'toolify',
  families: 'any model that follows instructions; made for models that know no tool format of their own',
  source: 'the prompt format of Toolify and its relatives (b4u2cc)',
  example:
    '<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>',
  blocks: [
    { tree: sequence(invoke, tolerated(oneOrMore(sequence(gap(), invoke)))), place: 'anywhere' },
    // The form that Toolify's own prompt asks for: `<function_calls>` with `<tool>` and `<args_json>`, and variants of
    // it.
    ...xmlBlocks(false).map(({ tree }) => ({ tree, place: 'anywhere' as const })),
  ],
}
