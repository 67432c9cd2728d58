import { breaksOff, findsNone, readsAll, readsGarbageAlike, tools } from '../../../../test/support/dialects/blocks.ts'
import { namedCalls } from '../../read/names/named-calls.ts'
import { directCalls } from './direct-calls.ts'

const paris = 'get_weather {"city":"Paris"}'
const history = '[TOOL_CALL_HISTORY]\nstatus: already_called\norigin: assistant\ntool_call_id: call_3f\n'
readsAll('direct calls', directCalls, [
  ['function.name: get_weather\nfunction.arguments: {"city": "Paris"}\nOn.', [paris], [], '\nOn.'],
  [
    'function.name: get_weather\nfunction.arguments: {\n\t"city": "Paris"\n}\n\nfunction.name: get_time\nfunction.arguments: {}',
    [paris, 'get_time {}'],
  ],
  [
    `${history}function.name: get_weather\nfunction.arguments: {"city":"Paris"}\n[/TOOL_CALL_HISTORY]\n\nOn.`,
    [paris],
    [],
    '\n\nOn.',
  ],
  ['function.name: get_weather\nid: 3\nfunction.arguments: "{\\"city\\": \\"Paris\\"}"', [paris]],
  ['<tool_use>{"name": "get_weather", "input": {"city": "Paris"}}</tool_use>', [paris]],
  ['<tool_call>\n"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>', [paris], ['repaired']],
  ['[call get_weather]\n{"city": "Paris"}', [paris]],
  ['[调用 get_weather]{"city": "Paris"} 好', [paris], [], ' 好'],
  ['꧁龘ᐅ\n࿔▸get_weather◂࿔\n࿔▹{"city": "Paris"}◃࿔\nᐊ龘꧂', [paris]],
  ['꧁靐ᐅ࿔▸get_weather◂࿔࿔▹{"city": "Paris"}◃࿔ᐊ靐꧂', [paris]],
  ['[TOOL_CALL]{tool => "get_weather", args => {--city "Paris"}}[/TOOL_CALL]', [paris]],
  [
    '[TOOL_CALL]\n{tool => "f", args => {\n  --b "x }\\n"\n  --a 2\n  --opts {"k": [1]}\n}}\n[/TOOL_CALL]',
    ['f {"b":"x }\\n","a":2,"opts":{"k":[1]}}'],
  ],
  ['[TOOL_CALL]{tool => "get_time", args => {}}[/TOOL_CALL]', ['get_time {}']],
  ['[TOOL_CALL]{"name": "get_weather", "arguments": {"city": "Paris"}}[/TOOL_CALL]', [paris]],
  ['Action: get_weather\nAction Input: {"city": "Paris"}\nObservation:', [paris], [], '\nObservation:'],
  ['**Action:** `get_weather`\n\n**Action Input:** {"city": "Paris"}', [paris]],
  ['Action 1: [get_weather]\nAction Input 1: {"city": "Paris"}', [paris]],
  ['Action: get_weather\nAction Input:\n```json\n{"city": "Paris"}\n```\nOn.', [paris], [], '\nOn.'],
])

findsNone('direct calls', directCalls, [
  'function.name: get_weather is a field',
  '[TOOL_CALL_HISTORY]\nstatus: already_called\n[/TOOL_CALL_HISTORY]',
  '[call get_weather] for the weather',
  '[call me](tel:1) {}',
  '[TOOL_CALL] opens a call',
  'Action: get_weather',
  'Action:\n```json\n[]\n```',
  'Action: talk to\nAction Input: {}',
])

breaksOff('direct calls', directCalls, [
  ['[TOOL_CALL]{tool => "f", args => {--b src/x --a 2}}[/TOOL_CALL]', ['f {"b":']],
])

const unmarkedCalls = namedCalls(tools, { unmarked: true }).blocks
const looseCalls = namedCalls(tools, { loose: true }).blocks

readsAll('unmarked calls', unmarkedCalls, [['get_weather[ARGS]{"city": "Paris"} on', [paris], [], ' on']])
findsNone('unmarked calls', unmarkedCalls, ['get_weather[ARGS] is how', 'get_weather {"city": "Paris"}'])

readsAll('loose calls', looseCalls, [
  ['get_weather({"city": "Paris"}) on', [paris], [], ' on'],
  ['get_weather{"city": "Paris"}', [paris]],
  ['get_weather ({"city": "Paris"})', [paris]],
])
findsNone('loose calls', looseCalls, ['get_weather(city)', 'get weather {"city": "Paris"}', 'get_weather()'])

readsGarbageAlike('direct calls', directCalls, [
  ...['[TOOL_CALL]', '{tool => "f", args => {', '--a 1', '[/TOOL_CALL]', '[call f]', 'Action: f\n', 'Action Input: '],
  ...['[TOOL_CALL_HISTORY]\n', 'status: x\n', 'function.name: f\n', 'function.arguments: ', '[/TOOL_CALL_HISTORY]'],
  ...['꧁龘ᐅ', '࿔▸f◂࿔', '࿔▹', '◃࿔', 'ᐊ龘꧂'],
])
readsGarbageAlike('calls that begin with a name', [...unmarkedCalls, ...looseCalls], ['f({', 'f{', 'f[ARGS]{'])
