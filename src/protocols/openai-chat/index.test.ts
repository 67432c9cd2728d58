import { expect, it } from 'vitest'
import { openaiChat } from './index.ts'

it('serves a request from its body to the body of its reply', () => {
  const { conversation, options } = openaiChat.decode({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  const reply = openaiChat.encodeReply(
    { parts: [{ type: 'text', text: 'hello' }], notices: [], finish: { type: 'finish', reason: 'stop' } },
    {
      id: `${openaiChat.ids.reply}1`,
      model: conversation.model,
      requestId: 'req_1',
      created: 1,
      estimateInputTokens: () => 0,
      options,
    },
  )
  expect(reply).toMatchObject({
    id: 'chatcmpl-1',
    model: 'm',
    choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 0, completion_tokens: 2, total_tokens: 2 },
  })
})
