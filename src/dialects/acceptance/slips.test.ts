import { call, tool } from './case.ts'
import { testCases } from './test-table.ts'
import { write } from './tools.ts'

/** AC57 and later: what models were seen to write that is not quite their own form. */

const search = tool('search', { query: 'string', limit: 'integer' })

testCases('tags that are left out', [
  {
    id: 'AC57a',
    title: 'a value whose opening tag is left out',
    source: 'vllm#49248, seen of GLM-5.2',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key>how many vacation days left</arg_value></tool_call>',
    tools: [search],
    reply: [call('search', { query: 'how many vacation days left' })],
  },
  {
    id: 'AC57b',
    title: 'the same in the second argument, so that the first does not reach to its end',
    source: 'vllm#49249, seen of GLM-5.2',
    dialect: 'glm',
    text: '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>cats</arg_value>\n<arg_key>limit</arg_key>\n3</arg_value>\n</tool_call>',
    tools: [search],
    reply: [call('search', { query: 'cats', limit: 3 })],
  },
  {
    id: 'AC57c',
    title: 'the same where the value is markup',
    source: 'vllm#49248',
    dialect: 'glm',
    text: '<tool_call>write<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><p>Hello</p></arg_value></tool_call>',
    tools: [write],
    reply: [call('write', { path: 'a', content: '<p>Hello</p>' })],
  },
  {
    id: 'AC57d',
    title: 'a key without any value is none',
    source: 'vllm#49249',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key></tool_call>',
    tools: [search],
    reply: [{ call: 'search', begun: '' }, '<arg_key>query</arg_key></tool_call>'],
    whole: ['<tool_call>search<arg_key>query</arg_key></tool_call>'],
  },
  {
    id: 'AC57e',
    title: 'the tag of a value that a cut goes through is none of the value',
    source: 'vllm#49249',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key><arg_va',
    tools: [search],
    end: 'length',
    reply: [{ call: 'search', begun: '' }],
    whole: ['<tool_call>search<arg_key>query</arg_key><arg_va'],
    accept: [[{ call: 'search', begun: '' }, '<arg_key>query</arg_key><arg_va']],
  },
])
