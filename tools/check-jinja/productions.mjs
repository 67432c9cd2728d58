// @ts-check
/** A grammar of Jinja programs: `«text»` is replaced by something of that kind. */

/** Strings of the variables and of the programs. */
export const texts = [
  ...[
    '',
    'a',
    'Hello',
    'the cat',
    '  pad ',
    'x\ny\n',
    'Ünï',
    '日本語',
    '<b>&amp;</b>',
    "it's",
    'q"q',
    'a,b,c',
    '1',
    '3.5',
  ],
  ...[
    'true',
    'tool_call',
    'ab-ab',
    '\\n',
    'A1b2',
    'one two  three',
    '{x}',
    '%s',
    '🙂 hi',
    'İstanbul',
    'line\r\nend',
    '\ttab',
  ],
]

/** @param {string} text */
function quoted(text) {
  const escapes = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  return `'${text.replace(/[\\'\n\r\t]/g, (char) => Reflect.get(escapes, char))}'`
}

/** @param {string} words */
const wordsOf = (words) => words.trim().split(/\s+/)

/** For each kind of expression those that end, and those that hold others. */
export const expressions = {
  any: [
    ['«text»', '«whole»', 'none', 'undef', 'messages'],
    ['«text»', '«whole»', '«float»', '«list»', '«dict»', '«truth»'],
  ],
  text: [
    [...texts.map(quoted), 's', 't', 'messages[0].content', "messages[-1]['role']", 'loop_role'],
    [
      ...['(«any» ~ «any»)', '(«text» + «text»)', '(«text» * «few»)', '(«text»)[«slice»]', '(«text»)[«whole»]'],
      ...[
        '(«text» if «truth» else «text»)',
        '(«text» if «truth»)',
        '(«any» or «any»)',
        '(«any» and «any»)',
        '(«any»)|string',
      ],
      ...wordsOf(`upper lower trim title capitalize string escape e first last reverse|list tojson striptags wordcount list urlencode safe
        forceescape int float default d unique|list sort indent center(12) wordwrap(4) truncate(5) max min join length`).map(
        (filter) => `(«text»)|${filter}`,
      ),
      ...wordsOf(`strip lstrip rstrip upper lower capitalize swapcase casefold isdigit isalpha isalnum isspace isupper islower isnumeric
        isdecimal istitle splitlines split rsplit isidentifier isascii isprintable`).map(
        (name) => `(«text»).${name}()`,
      ),
      ...wordsOf(
        'strip lstrip rstrip split rsplit startswith endswith find rfind index rindex count partition rpartition',
      ).map((name) => `(«text»).${name}(«text»)`),
      ...[
        'removeprefix(«text»)',
        'removesuffix(«text»)',
        'expandtabs(4)',
        'zfill(5)',
        'center(9)',
        'ljust(6)',
        "rjust(6, '*')",
      ].map((call) => `(«text»).${call}`),
      ...[
        '(«text»).split(«text», «few»)',
        '(«text»).replace(«text», «text»)',
        '(«text»).replace(«text», «text», «few»)',
      ],
      ...[
        '(«text»).join(«list»)',
        '(«text»)|replace(«text», «text»)',
        '(«any»)|default(«any»)',
        '(«any»)|default(«any», true)',
      ],
      ...['2', '4, true', 'width=3, first=true', '2, blank=true', "'> '"].map((width) => `(«text»)|indent(${width})`),
      ...["7, true, '..'", "4, false, ''", "6, true, '…', 0"].map((length) => `(«any»)|truncate(${length})`),
      ...['', "', '", "'-', attribute='role'"].map((by) => `(«list»)|join(${by})`),
      ...['', 'indent=2', 'ensure_ascii=true', 'sort_keys=true', "separators=(',', ':')", 'indent=0'].map(
        (how) => `(«any»)|tojson(${how})`,
      ),
      ...wordsOf('%s %d %5.2f %-5s| %r %x %% %05d %(a)s %e %g %+d %s-%s').flatMap((format) => [
        `'${format}'|format(«any»)`,
        `('${format}' % «any»)`,
        `('${format}' % («any», «any»))`,
      ]),
      ...wordsOf(
        '{} {0}-{1} {a} {:>5} {:.2f} {:05d} {!r} {0[0]} {{}} {:,} {:x} {:^7} {:d} {:s} {:+} {:e} {:%}',
      ).flatMap((format) => [`'${format}'.format(«any»)`, `'${format}'.format(«any», a=«any»)`]),
      ...['%Y-%m-%d', '%d %b %Y', '%B %A %H:%M:%S %p %I %j'].map((format) => `strftime_now('${format}')`),
    ],
  ],
  few: [['0', '1', '2', '3', '-1'], []],
  whole: [
    ['0', '1', '2', '3', '7', '10', '100', '1_000', 'n', 's|length'],
    [
      ...wordsOf('+ - * // %').map((operator) => `(«number» ${operator} «number»)`),
      ...[
        '-(«number»)',
        '+(«number»)',
        '(«any»)|length',
        '(«any»)|int',
        '(«text»)|int(5)',
        '(«text»)|int(0, 16)',
        '(«number»)|abs',
      ],
      ...[
        '(«list»)|sum',
        '(«list»)|max',
        '(«list»)|min',
        '(«list»)|first',
        '(«list»)[«few»]',
        '(«number»)|round|int',
        '(n ** «few»)',
      ],
    ],
  ],
  float: [
    ['0.5', '1.0', 'f', '2.5e3', '1e-10'],
    [
      ...wordsOf('/ + - * // %').map((operator) => `(«float» ${operator} «number»)`),
      ...[
        '(«number»)|float',
        '(«number»)|round(1)',
        '(«number»)|round(-1)',
        "(«number»)|round(1, 'floor')",
        "(«number»)|round(2, 'ceil')",
      ],
    ],
  ],
  number: [
    ['«whole»', 'f'],
    ['«whole»', '«float»'],
  ],
  truth: [
    ['true', 'false', 'b', 's', 'l', 'none', 'n'],
    [
      ...wordsOf('== != < >').map((operator) => `(«any» ${operator} «any»)`),
      ...wordsOf('< > <= >=').flatMap((operator) => [`(«number» ${operator} «number»)`, `(«text» ${operator} «text»)`]),
      ...[
        '(«any» in «list»)',
        '(«any» not in «text»)',
        '(«text» in «dict»)',
        '(not «truth»)',
        '(«truth» and «truth»)',
        '(«truth» or «truth»)',
      ],
      ...wordsOf(`defined undefined none string mapping sequence iterable number integer float boolean true false odd even divisibleby(2)
        lower upper callable eq(1) ne(2) gt(1) lt(3) ge(2) le(1) equalto('a') in(l) sameas(none) escaped`).flatMap(
        (test) => [`((«any») is ${test})`, `((«any») is not ${test})`],
      ),
      '(«number» < «number» <= «number»)',
    ],
  ],
  list: [
    ['[]', 'l', '[1,2]', 'messages', "['a','b']", 'range(3)', '(1,2)', "('x',)", 'range(5, 0, -2)'],
    [
      ...[
        '[«any», «any»]',
        '(«any», «any»)',
        'range(n)',
        '(«list» + «list»)',
        '(«list» * «few»)',
        '(l)[«slice»]',
        '(messages)[«slice»]',
      ],
      ...wordsOf(`list reverse|list sort unique|list sort(reverse=true) sort(case_sensitive=true) batch(2)|list slice(2)|list
        batch(3,0)|list first last string tojson map('string')|list map('upper')|join select|list reject|list select('string')|list
        reject('none')|list select('gt',1)|list map('length')|list map('default',1)|list map('tojson')|list length`).map(
        (filter) => `(«list»)|${filter}`,
      ),
      ...['role', 'content', 'tool_calls.0.function.name', 'x'].map((name) => `messages|map(attribute='${name}')|list`),
      ...[
        "'role', 'equalto', 'user'",
        "'n', 'defined'",
        "'role', 'in', ['tool']",
        "'content', 'string'",
        "'tool_calls'",
      ].flatMap((test) => [`messages|selectattr(${test})|list`, `messages|rejectattr(${test})|list|length`]),
      ...[
        "messages|sort(attribute='role')|list",
        "messages|groupby('role')|list",
        "messages|unique(attribute='role')|list",
      ],
      ...wordsOf("list items|list dictsort dictsort(by='value') length tojson string first").map(
        (filter) => `(«dict»)|${filter}`,
      ),
      ...wordsOf("items()|list keys()|list values()|list get('a') get('q',3) copy()").map((call) => `(«dict»).${call}`),
      ...['(«text»)|list', '(l).index(1)', '(l).count(1)', 'l.append(1)', '(«list» if «truth» else «list»)'],
    ],
  ],
  dict: [
    ['{}', 'd', "{'a': 1}", 'messages[0]', 'tools[0]'],
    [
      "{'a': «any», 'role': «any»}",
      'dict(a=«any», b=2)',
      'dict(«dict», c=«any»)',
      'dict.fromkeys(«list», «any»)',
      'dict.fromkeys(«text»)',
      'dict.copy(«dict»)',
      "dict.from_pairs([('k', «any»)])",
      'messages[«whole»]',
      '(«dict»).a',
      "(«dict»)['role']",
      '(«dict»).parameters',
    ],
  ],
  /** Without parentheses, so that the precedence decides. */
  loosely: [
    [
      's',
      'n',
      'f',
      'b',
      'l',
      'd',
      'undef',
      '1',
      "'a'",
      "'a' 'b'",
      '[1,2]',
      "{'a': 1}",
      'messages',
      'messages[0].content',
      'd.a',
      'l[-1]',
      '()',
    ],
    [
      ...wordsOf('+ - * / // % ~ == != < > <= >= in and or').map((operator) => `«loosely» ${operator} «loosely»`),
      ...[
        '«loosely» not in «loosely»',
        'not «loosely»',
        '-«loosely»',
        '+«loosely»',
        '«loosely» if «loosely» else «loosely»',
        '(«loosely»)',
      ],
      ...wordsOf("upper length string list first join int abs default('z') trim tojson lower sort").flatMap(
        (filter) => [`«loosely»|${filter}`, `«loosely» | ${filter}`],
      ),
      ...wordsOf('defined none string mapping number iterable odd lower').map((test) => `«loosely» is ${test}`),
      ...['«loosely» is divisibleby 2', '«loosely» is not eq 1', '«loosely» is in [1]'],
    ],
  ],
  slice: [[':', '1:', ':-1', '::-1', '-3:', '2:5', '::2', 'n:', '5:0:-2'], []],
}

export const statements = [
  '«out»',
  '«out»',
  '«tag»if «truth»«end»«some»«tag»endif«end»',
  '«tag»if «truth»«end»«some»«tag»elif «truth»«end»«some»«tag»else«end»«some»«tag»endif«end»',
  '«tag»for m in «list»«end»«turn»«tag»endfor«end»',
  '«tag»for m in «list» if «truth»«end»«turn»«tag»else«end»«some»«tag»endfor«end»',
  '«tag»for k, m in «pairs»«end»«turn»{{ k }}«tag»endfor«end»',
  '«tag»for m in «list» recursive«end»{{ m }}{% if m is iterable and m is not string and m is not mapping and loop.depth < 4 %}{{ loop(m) }}{% endif %}«tag»endfor«end»',
  '«tag»set «name» = «any»«end»{{ «name»|default("?") }}',
  '«tag»set v, w = «list»«end»{{ v ~ w }}',
  '«tag»set «name»«end»«some»«tag»endset«end»{{ «name»|default("?") }}',
  '«tag»set «name»|upper«end»«some»«tag»endset«end»{{ «name» }}',
  "«tag»set ns = namespace(a='x')«end»«tag»for m in «list»«end»{% set ns.a = ns.a ~ m %}«tag»endfor«end»{{ ns.a }}",
  '«tag»macro f(a, «name»=«any»)«end»{{ a }}{{ «name» }}«some»«tag»endmacro«end»{{ f(1) }}{{ f(s, 2) }}',
  '«tag»macro f(a)«end»{{ a }}{{ varargs }}{{ kwargs }}«tag»endmacro«end»{{ f(*l) }}{{ f(1, x=«any») }}{{ f.name }}{{ f.arguments }}',
  '«tag»macro g(x)«end»{{ caller(x) }}«tag»endmacro«end»«tag»call(y) g(«any»)«end»{{ y }}«some»«tag»endcall«end»',
  '«tag»filter «blockfilter»«end»«some»«tag»endfilter«end»',
  '«tag»with v = «any», w = v«end»«some»{{ w }}«tag»endwith«end»',
  '«tag»raw«end»{{ x }} {% if %}«tag»endraw«end»',
  '{# c #}',
  '{#-\n c -#}\n',
  '«tag»generation«end»«some»«tag»endgeneration«end»',
  "«tag»if «truth»«end»{{ raise_exception('no: ' ~ s) }}«tag»endif«end»",
  "«tag»set c = cycler('a', 'b')«end»{{ c.next() ~ c.next() ~ c.current }}",
]

export const parts = {
  tag: ['{% ', '{% ', '{%- ', '{%+ '],
  end: [' %}', ' %}', ' -%}', ' +%}'],
  blank: [
    '',
    '\n',
    '  \n',
    'text',
    '  text ',
    '<|im_start|>',
    '\n\n  ',
    '{ x }',
    '\t\n',
    '\r\n',
    '\u00a0 ',
    '#}',
    '}}',
  ],
  name: ['v', 'w', 's', 'x', 'n'],
  pairs: ['d.items()', 'd|items', 'd|dictsort', "messages|groupby('role')", '[[1,2],[3,4]]', '[(1,2,3)]', '«list»'],
  blockfilter: ['upper', 'trim', "replace('a', 'b')", 'indent(2)', 'title', 'length'],
  ofLoop:
    wordsOf(`loop.index loop.index0 loop.first loop.last loop.length loop.revindex loop.previtem loop.nextitem loop.cycle('a','b')
    loop.changed(m) loop.depth m m.role m['content']`),
}
