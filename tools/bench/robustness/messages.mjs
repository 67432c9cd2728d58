import { tools } from './tools.mjs'

/**
 * Realistic values of arguments: none contains markup of a dialect, or white space at an end, which some formats cannot
 * distinguish from their own.
 */
const values = [
  'Paris',
  'São Paulo',
  '東京都',
  '  indented\n    more\nend',
  'He said "stop" and left',
  'it\'s "quoted" twice, isn\'t it',
  "L'été à l'île",
  'a < b && c > d || !e',
  'if (x) { return [1, 2, { y: "z" }] }',
  'mkdir -p test/{one,two}/{a,b}',
  "grep -rn 'TODO' src | head -20",
  'grep -E "\\d+\\s" app.log',
  'echo \\$HOME \\& more',
  'C:\\Daten\\Archiv\\Zahlen.xlsx',
  'C:\\new\\table\\users.txt',
  'line one\nline two\n\nline four',
  'col\tcol\tcol',
  '# Title\n\n- item `code`\n- item **bold**\n\n```js\nrun()\n```\nend',
  '<div class="row"><b>bold</b> &amp; more</div>',
  '<!DOCTYPE html>\n<html lang="en">\n<body>text</body>\n</html>',
  'SELECT * FROM "t" WHERE a = \'x\' -- note',
  '{"name": "inner", "list": [1, 2]}',
  '[not, json}',
  '12345',
  'true story',
  'null and void',
  '007',
  'https://example.org/a?b=c&d=%20e#f',
  '👍🏽 done — “really”',
  'def f(x):\n    return {"k": x, \'j\': None}',
  'semi; colon: comma, done.',
  '/usr/local/bin/tool --flag="some value"',
  '\\frac{1}{2}',
  '^\\s*(?:[a-z]+)\\s*$',
]

const sentences = [
  'Let me look at % first.',
  "I'll check % now, and then the rest of it.",
  'Good question: % decides that.',
  'Ich sehe mir zuerst % an.',
  'Je vais vérifier % tout de suite.',
  '先看一下 % 的情况。',
  'Voy a comprobar % antes de seguir.',
  'The value of % is below the limit, so a < b holds here.',
  'Two steps remain:\n\n1. look at %\n2. report',
  'As **noted** in `%`, this needs one more look.',
  'When that is done, % is next.',
  'Сначала проверю %.',
]

/** A message of an assistant: parts, with words in its texts that occur nowhere else. */
export function randomMessage(random) {
  const parts = []
  if (random.chance(0.7)) parts.push(randomText(random))
  const count = random.pick([1, 1, 1, 2, 2, 3])
  for (let index = 0; index < count; index++) {
    if (index > 0 && random.chance(0.2)) parts.push(randomText(random))
    parts.push(randomCall(random))
  }
  if (random.chance(0.35)) parts.push(randomText(random))
  return parts
}

export function randomText(random) {
  return { type: 'text', text: random.pick(sentences).replace('%', nonce(random)) }
}

export function randomCall(random, tool = random.pick(tools)) {
  const { properties, required } = tool.schema
  const args = {}
  for (const [key, schema] of Object.entries(properties)) {
    if (required.includes(key) || random.chance(0.6)) args[key] = randomValue(random, schema)
  }
  return { type: 'call', id: `call_${nonce(random)}`, name: tool.name, arguments: JSON.stringify(args) }
}

function nonce(random) {
  return `${random.pick(['kestrel', 'marlin', 'quartz', 'juniper'])}-${1000 + random.int(9000)}`
}

function randomValue(random, schema) {
  switch (schema.type) {
    case 'string':
      return random.pick(values)
    case 'integer':
      return random.pick([0, 1, 3, 42, -7, 100000])
    case 'number':
      return random.pick([0, 1.5, 30, -0.25, 120])
    case 'boolean':
      return random.chance(0.5)
    case 'array':
      return Array.from({ length: 1 + random.int(3) }, () => randomValue(random, schema.items))
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties).map(([key, member]) => [key, randomValue(random, member)]),
      )
    default:
      // Without a type: values that no format can mistake for others.
      return random.pick([null, false, 5, 'plain words'])
  }
}
