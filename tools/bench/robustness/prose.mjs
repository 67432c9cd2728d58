import { codeTexts } from './prose-code.mjs'
import { proseTexts } from './prose-talk.mjs'
import { samples } from './samples.mjs'

/**
 * Texts that talk about tools and calls, none of which is a call: `{kind, text}`.
 *   fenced   a call in a fenced block
 *   quoted   a call in a block quotation, in quotation marks, or in inline code
 *   prose    sentences, lists, tables and logs about calls, with marks and pieces of them
 *   code     code and data that stand in the text as they are
 * The tools that they name are offered, so that no reader can go by the names.
 */
const fences = [
  (call) => `A call is written so:\n\n\`\`\`\n${call}\n\`\`\`\n\nThe result comes with the next message.`,
  (call) => `For example:\n\n\`\`\`xml\n${call}\n\`\`\`\n`,
  (call) => `\`\`\`json\n${call}\n\`\`\`\nThis is what the model would have to write.`,
  (call) => `~~~\n${call}\n~~~\n\nTildes work as well.`,
  (call) =>
    `1. Describe the tools.\n2. Let the model write\n   \`\`\`text\n   ${call.replaceAll('\n', '\n   ')}\n   \`\`\`\n3. Run it.`,
  (call) =>
    `The page itself has a fence in it:\n\n\`\`\`\`md\nWrite\n\`\`\`\n${call}\n\`\`\`\nand wait.\n${call}\n\`\`\`\`\n\nThat was the page.`,
  (call) => `格式如下：\n\n\`\`\`tool_code\n${call}\n\`\`\`\n\n然后等待结果。`,
  (call) =>
    `In the file:\n\n\`\`\`text title="call.txt"\n# as the model wrote it\n${call}\n# end\n\`\`\`\n\nNothing else is in it.`,
]
const quotations = [
  (call) => `You wrote:\n\n> ${call.replaceAll('\n', '\n> ')}\n\nThat call failed because the city was missing.`,
  (call) =>
    `> **User:** it printed this and stopped:\n>\n> ${call.replaceAll('\n', '\n> ')}\n\nThanks for the report; I can see it, too.`,
  (call) => `To call it the model writes \`${oneLine(call)}\` and stops.`,
  (call) =>
    `| format | example |\n| --- | --- |\n| this one | \`${oneLine(call)}\` |\n\nThe table shows what it expects.`,
  (call) => `Use \`\`${oneLine(call)}\`\` for that, as the manual says.`,
  (call) => `The reply was "${oneLine(call)}" and nothing else.`,
  (call) => `Le modèle a répondu « ${oneLine(call)} » puis s'est arrêté.`,
  (call) => `模型输出了「${oneLine(call)}」，然后停止了。`,
]

/** Each sample in three of the frames, in turn, so that every frame is tested with many formats. */
export const prose = [
  ...samples.flatMap((call, index) =>
    [0, 3, 5].map((step) => ({ kind: 'fenced', text: inFrame(fences, index + step, call) })),
  ),
  ...samples.flatMap((call, index) =>
    [0, 3, 5].map((step) => ({ kind: 'quoted', text: inFrame(quotations, index + step, call) })),
  ),
  ...proseTexts.map((text) => ({ kind: 'prose', text })),
  ...codeTexts.map((text) => ({ kind: 'code', text })),
]

function inFrame(frames, index, call) {
  return frames[index % frames.length](call)
}

function oneLine(call) {
  return call.replaceAll('\n', '')
}
