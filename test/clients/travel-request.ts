import type { JsonObject } from '../../src/conversation/index.ts'

/** A conversation after one call, as a Claude client sends it when the user asks for another city. */
export const travelRequest: JsonObject & { messages: JsonObject[] } = {
  model: 'claude-3.5-sonnet-20241022',
  max_tokens: 1024,
  system: '你是专业旅行助手,需要根据工具数据给用户建议。',
  temperature: 0.2,
  stream: true,
  messages: [
    { role: 'user', content: [{ type: 'text', text: '查下旧金山天气' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '好的,我来查。' },
        { type: 'tool_use', id: 'toolu_prev', name: 'get_weather', input: { city: 'San Francisco', unit: 'c' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_prev', content: '旧金山 15°C,微风' }],
    },
    { role: 'user', content: [{ type: 'text', text: '也查下纽约,并比较是否需要带外套' }] },
  ],
  tools: [
    {
      name: 'get_weather',
      description: '查询城市当前天气',
      input_schema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: '城市名' },
          unit: { type: 'string', enum: ['c', 'f'], description: '温度单位' },
        },
        required: ['city'],
      },
    },
  ],
  tool_choice: 'auto',
  metadata: { conversation_id: 'conv_xyz', client: 'ccr-deno-proxy' },
}

/** The model's text around the call. */
export const travelAnswer = '已有旧金山结果:15°C 微风。我将查询纽约。'

/** A request for a search, of a client whose model was never made for tools. */
export const searchRequest: JsonObject = {
  model: 'cohere.command-r-plus',
  messages: [{ role: 'user', content: '搜索Python教程' }],
  tools: [
    {
      name: 'web_search',
      description: '搜索网络信息',
      input_schema: {
        type: 'object',
        properties: { query: { type: 'string', description: '搜索查询' } },
        required: ['query'],
      },
    },
  ],
  tool_choice: 'auto',
}
