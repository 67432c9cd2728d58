import type { Pattern } from './pattern.ts'
import * as pattern from './pattern.ts'

/** Those of `turnEnds`, in groups with a common beginning: nearly all text differs from it, which no expression has to tell. */
export const turnEndGroups: readonly Pattern[] = [
  pattern.choice(
    '<|eot_id|>',
    '<|eom_id|>',
    '<|im_end|>',
    '<|end|>',
    '<|end_of_text|>',
    '<|endoftext|>',
    '<|eot|>',
    '<|eom|>',
    '<|role_end|>',
  ),
  pattern.literal('[|endofturn|]'),
  pattern.literal('</s>'),
]

/** Tokens with which a server ends a turn: if the reply was not cut off, they prove that nothing more was to come. */
export const turnEnds: Pattern = pattern.choice(...turnEndGroups)

/** Tokens with which a server begins a turn of the assistant, or a text. */
export const turnStarts: Pattern = pattern.choice(
  '<|im_start|>assistant',
  '<|start_header_id|>assistant<|end_header_id|>',
  '<|header_start|>assistant<|header_end|>',
  '<|start_of_role|>assistant<|end_of_role|>',
  '<|im_assistant|>assistant<|im_middle|>',
  '<|START_OF_TURN_TOKEN|>',
  '<|CHATBOT_TOKEN|>',
  '<|assistant|>',
  '[|assistant|]',
  '<\uff5cAssistant\uff5c>',
  '<|assistant_start|>',
  '<start_of_turn>model',
  '<|turn>model',
  '<|begin_of_text|>',
  '<\uff5cbegin\u2581of\u2581sentence\uff5c>',
  '<bos>',
)
