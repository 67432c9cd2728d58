import type { Pattern } from './pattern.ts'
import * as pattern from './pattern.ts'

/** Tokens with which a server ends a turn: if the reply was not cut off, they prove that nothing more was to come. */
export const turnEnds: Pattern = pattern.choice(
  '<|eot_id|>',
  '<|eom_id|>',
  '<|im_end|>',
  '<|end|>',
  '<|end_of_text|>',
  '<|endoftext|>',
  '<|eot|>',
  '<|eom|>',
  '</s>',
)
