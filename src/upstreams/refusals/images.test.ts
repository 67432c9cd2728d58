import { describe, expect, test } from 'vitest'
import { AnycallError } from '../../conversation/index.ts'
import { refuses as refusesPart, statusError } from '../http/upstream-error.ts'

const message = (text: string): string => JSON.stringify({ error: { message: text } })
const source = { upstream: 'test', secrets: [] }

/** Errors of servers, and `true` for those that mean that the model accepts no images. */
const said: [server: string, status: number, body: string, refuses: boolean][] = [
  ['Ollama', 400, '{"error":"this model does not support image input (ref: b8bd630e)"}', true],
  ['LM Studio', 400, '{"error":"Model does not support images. Please use a model that does."}', true],
  [
    'llama-server',
    500,
    message('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
    true,
  ],
  ['llama-server', 500, message('Failed to parse messages: Unsupported content part type: "image_url"'), true],
  ['OpenAI', 400, message('Invalid content type. image_url is only supported by certain models.'), true],
  ['OpenRouter', 404, message('No endpoints found that support image input'), true],
  ['vLLM', 400, message('zai/glm-5.2 is not a multimodal model'), true],
  [
    'DeepSeek',
    400,
    message(
      'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 679289',
    ),
    true,
  ],
  ['vLLM for text alone', 400, message('At most 0 image(s) may be provided in one prompt.'), true],
  ['Zhipu', 400, message("messages.content.type 参数非法，取值范围 ['text']"), true],
  ['DashScope', 400, message('[Unexpected item type in content]'), true],
  ['one image of many', 400, message('At most 1 image(s) may be provided in one request.'), false],
  ['one image', 400, message('messages.57.content.2.image.source.base64: image cannot be empty'), false],
  ['its format', 400, message('Unsupported image. Please try another one.'), false],
  ['its data', 400, message('Could not process image'), false],
  ['its size', 413, message('The image is too large: image_url is limited to 20 MB'), false],
  ['something else', 400, message('The model does not support tools'), false],
  ['a key', 401, message('this key is not allowed to use models that support image input'), false],
  ['another server that fails', 503, message('image input is not supported'), false],
]

describe('what servers say', () => {
  test.each(said)('%s %d %s', (_, status, body, refuses) => {
    expect(refusesPart(statusError(source, status, body), 'images')).toBe(refuses)
  })

  test('an error that is no upstream’s', () => {
    expect(refusesPart(new AnycallError('invalid-request', 'image input is not supported'), 'images')).toBe(false)
  })
})
