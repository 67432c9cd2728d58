/**
 * The text that the model writes between header and end, including the part that the prompt began, for the parts of
 * `standard`.
 */
export interface Written {
  /** The text alone. */
  text: string
  /** Both calls alone. */
  calls: string
  /** The text and both calls. */
  both: string
  /** Reasoning and text; undefined if the template shows no reasoning, or none beside text. */
  reasoning?: string
  /** Reasoning, text and both calls; undefined if the template shows no reasoning. */
  all?: string
}

/** The description of a test template beside its source. */
export interface DescribedTemplate extends Written {
  /** The text before the model's own, in the prompt as in earlier turns. */
  header: string
  /** The text after it. */
  end: string
  /** The text after it if results follow, if it differs. */
  endBeforeResult?: string
  /** The part of the reply that the prompt begins: with reasoning unsaid, on, and off; nothing unless given. */
  begun?: { unsaid?: string; on?: string; off?: string }
  /** The ids of the two calls, if plain ones do not fit. */
  ids?: readonly [string, string]
}

/** By the template's name. */
export const describedTemplates: Readonly<Record<string, DescribedTemplate>> = {
  'python-list': {
    header: '<|adder|>',
    end: '<|eot|>',
    begun: { unsaid: '<inner>', on: '<inner>', off: '<inner></inner>' },
    text: '<inner></inner>Let me look.',
    calls: "<inner></inner><|py|>[get_weather(city='Paris', days=3), list_files()]<|/py|>",
    both: "<inner></inner>Let me look.<|py|>[get_weather(city='Paris', days=3), list_files()]<|/py|>",
    reasoning: '<inner>They want the weather.</inner>Let me look.',
    all: "<inner>They want the weather.</inner>Let me look.<|py|>[get_weather(city='Paris', days=3), list_files()]<|/py|>",
  },
  'reasoning-before-calls': {
    header: '<m>',
    end: '</m>',
    text: 'Let me look.',
    calls:
      '<calls n=2>{"parameters": {"city": "Paris", "days": 3}, "action": "get_weather"}{"parameters": {}, "action": "list_files"}</calls>',
    both: 'Let me look.<calls n=2>{"parameters": {"city": "Paris", "days": 3}, "action": "get_weather"}{"parameters": {}, "action": "list_files"}</calls>',
    all: '<thought>They want the weather.</thought><response>Let me look.</response><calls n=2>{"parameters": {"city": "Paris", "days": 3}, "action": "get_weather"}{"parameters": {}, "action": "list_files"}</calls>',
  },
  'ids-with-names': {
    header: '<|r_model|>beacon<|r_mid|>',
    end: '<|r_end|>',
    begun: { unsaid: '<think>', on: '<think>', off: '<think></think>' },
    ids: ['functions.get_weather:0', 'functions.list_files:1'],
    text: '<think></think>Let me look.',
    calls:
      '<think></think><|t_section|><|t_begin|>functions.get_weather:0<|t_args|>{"city": "Paris", "days": 3}<|t_end|><|t_begin|>functions.list_files:1<|t_args|>{}<|t_end|><|t_section_end|>',
    both: '<think></think>Let me look.<|t_section|><|t_begin|>functions.get_weather:0<|t_args|>{"city": "Paris", "days": 3}<|t_end|><|t_begin|>functions.list_files:1<|t_args|>{}<|t_end|><|t_section_end|>',
    reasoning: '<think>They want the weather.</think>Let me look.',
    all: '<think>They want the weather.</think>Let me look.<|t_section|><|t_begin|>functions.get_weather:0<|t_args|>{"city": "Paris", "days": 3}<|t_end|><|t_begin|>functions.list_files:1<|t_args|>{}<|t_end|><|t_section_end|>',
  },
  'name-in-both-tags': {
    header: '',
    end: '</s>',
    text: 'Let me look.',
    calls: '<call:get_weather>{"city":"Paris","days":3}</call:get_weather><call:list_files>{}</call:list_files>',
    both: 'Let me look.<call:get_weather>{"city":"Paris","days":3}</call:get_weather><call:list_files>{}</call:list_files>',
    reasoning: '[THINK]They want the weather.[/THINK]Let me look.',
    all: '[THINK]They want the weather.[/THINK]Let me look.<call:get_weather>{"city":"Paris","days":3}</call:get_weather><call:list_files>{}</call:list_files>',
  },
  'counted-ids': {
    header: '<bot>',
    end: '</bot>\n',
    text: 'Let me look.',
    calls:
      '\n<tool_section>\n- {"tool": "get_weather", "input": {"city": "Paris", "days": 3}, "ref": 1}\n- {"tool": "list_files", "input": {}, "ref": 2}\n</tool_section>',
    both: 'Let me look.\n<tool_section>\n- {"tool": "get_weather", "input": {"city": "Paris", "days": 3}, "ref": 1}\n- {"tool": "list_files", "input": {}, "ref": 2}\n</tool_section>',
  },
  'message-per-part': {
    header: '<|open|>assistant',
    end: '<|shut|>',
    text: ' for=user<|body|>Let me look.',
    calls:
      ' for=get_weather<|body|><post to="get_weather">\n<item key="city">Paris</item>\n<item key="days">3</item>\n</post><|next|><|open|>assistant for=list_files<|body|><post to="list_files">\n</post>',
    both: ' for=user<|body|>Let me look.<|next|><|open|>assistant for=get_weather<|body|><post to="get_weather">\n<item key="city">Paris</item>\n<item key="days">3</item>\n</post><|next|><|open|>assistant for=list_files<|body|><post to="list_files">\n</post>',
    reasoning: ' for=self<|body|>They want the weather.<|next|><|open|>assistant for=user<|body|>Let me look.',
    all: ' for=self<|body|>They want the weather.<|next|><|open|>assistant for=user<|body|>Let me look.<|next|><|open|>assistant for=get_weather<|body|><post to="get_weather">\n<item key="city">Paris</item>\n<item key="days">3</item>\n</post><|next|><|open|>assistant for=list_files<|body|><post to="list_files">\n</post>',
  },
  'react-lines': {
    header: 'Agent\n',
    end: '<|eom|>\n',
    text: 'Answer: Let me look.\n',
    calls: 'Action: get_weather\nAction Input: {"city": "Paris", "days": 3}\nAction: list_files\nAction Input: {}\n',
    both: 'Answer: Let me look.\nAction: get_weather\nAction Input: {"city": "Paris", "days": 3}\nAction: list_files\nAction Input: {}\n',
    reasoning: 'Thought: They want the weather.\nAnswer: Let me look.\n',
    all: 'Thought: They want the weather.\nAnswer: Let me look.\nAction: get_weather\nAction Input: {"city": "Paris", "days": 3}\nAction: list_files\nAction Input: {}\n',
  },
  'keys-and-values-as-elements': {
    header: '<|grove|>',
    end: '',
    begun: { off: '\n<muse></muse>' },
    text: '\nLet me look.',
    calls:
      '\n<fn>get_weather</fn>\n<k>city</k><v>Paris</v>\n<k>days</k><v>3</v>\n<run/>\n<fn>list_files</fn>\n<none/>\n<run/>',
    both: '\nLet me look.\n<fn>get_weather</fn>\n<k>city</k><v>Paris</v>\n<k>days</k><v>3</v>\n<run/>\n<fn>list_files</fn>\n<none/>\n<run/>',
    reasoning: '\n<muse>They want the weather.</muse>\nLet me look.',
    all: '\n<muse>They want the weather.</muse>\nLet me look.\n<fn>get_weather</fn>\n<k>city</k><v>Paris</v>\n<k>days</k><v>3</v>\n<run/>\n<fn>list_files</fn>\n<none/>\n<run/>',
  },
  'guillemet-strings': {
    header: '<|turn>model\n',
    end: '<turn|>\n',
    endBeforeResult: '',
    text: 'Let me look.',
    calls: '<|do>call get_weather{city:«Paris»,days:3}<do|><|do>call list_files{}<do|>',
    both: 'Let me look.<|do>call get_weather{city:«Paris»,days:3}<do|><|do>call list_files{}<do|>',
  },
  'nested-function-json': {
    header: '[ASSISTANT]\n',
    end: '</s>\n',
    text: 'Let me look.',
    calls:
      '<|calls|>[{"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"days\\": 3}"}}, {"id": "call_2", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}]<|end_calls|>',
    both: 'Let me look.<|calls|>[{"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"days\\": 3}"}}, {"id": "call_2", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}]<|end_calls|>',
  },
  'harmony-channels': {
    header: '<|start|>assistant',
    end: '<|return|>',
    endBeforeResult: '<|call|>',
    text: '<|channel|>final<|message|>Let me look.',
    calls:
      ' to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris", "days": 3}<|call|><|start|>assistant to=functions.list_files<|channel|>commentary json<|message|>{}',
    both: '<|channel|>final<|message|>Let me look.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris", "days": 3}<|call|><|start|>assistant to=functions.list_files<|channel|>commentary json<|message|>{}',
    reasoning:
      '<|channel|>analysis<|message|>They want the weather.<|end|><|start|>assistant<|channel|>final<|message|>Let me look.',
    all: '<|channel|>analysis<|message|>They want the weather.<|end|><|start|>assistant<|channel|>final<|message|>Let me look.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris", "days": 3}<|call|><|start|>assistant to=functions.list_files<|channel|>commentary json<|message|>{}',
  },
  'settings-lines': {
    header: '<|im_start|>assistant\n',
    end: '<|im_end|>\n',
    text: 'Let me look.',
    calls: '\n@call get_weather\ncity = "Paris"\ndays = 3\n@end\n@call list_files\n@end',
    both: 'Let me look.\n@call get_weather\ncity = "Paris"\ndays = 3\n@end\n@call list_files\n@end',
    reasoning: '<|reason|>They want the weather.<|/reason|>\nLet me look.',
    all: '<|reason|>They want the weather.<|/reason|>\nLet me look.\n@call get_weather\ncity = "Paris"\ndays = 3\n@end\n@call list_files\n@end',
  },
  'names-as-tags': {
    header: '<|im_start|>assistant\n',
    end: '<|im_end|>\n',
    text: 'Let me look.',
    calls: '<actions>\n<get_weather>\n<city>Paris</city>\n<days>3</days>\n</get_weather>\n<list_files/>\n</actions>',
    both: 'Let me look.\n\n<actions>\n<get_weather>\n<city>Paris</city>\n<days>3</days>\n</get_weather>\n<list_files/>\n</actions>',
  },
  'json-in-wide-brackets': {
    header: '<|turn|>lantern\n',
    end: '<|stop|>\n',
    begun: { off: '<think>\n\n</think>\n\n' },
    text: 'Let me look.',
    calls:
      '⟦call⟧\n{"fn": "get_weather", "kwargs": {"city": "Paris", "days": 3}}\n⟦/call⟧\n⟦call⟧\n{"fn": "list_files", "kwargs": {}}\n⟦/call⟧',
    both: 'Let me look.\n⟦call⟧\n{"fn": "get_weather", "kwargs": {"city": "Paris", "days": 3}}\n⟦/call⟧\n⟦call⟧\n{"fn": "list_files", "kwargs": {}}\n⟦/call⟧',
    reasoning: '<think>\nThey want the weather.\n</think>\n\nLet me look.',
    all: '<think>\nThey want the weather.\n</think>\n\nLet me look.\n⟦call⟧\n{"fn": "get_weather", "kwargs": {"city": "Paris", "days": 3}}\n⟦/call⟧\n⟦call⟧\n{"fn": "list_files", "kwargs": {}}\n⟦/call⟧',
  },
  'name-as-key-in-fence': {
    header: '### Reply\n',
    end: '<s_end>\n',
    text: '[FINAL]\nLet me look.',
    calls: '[FINAL]\n```calls\n{"get_weather": {"city": "Paris", "days": 3}}\n---\n{"list_files": {}}\n```',
    both: '[FINAL]\nLet me look.\n```calls\n{"get_weather": {"city": "Paris", "days": 3}}\n---\n{"list_files": {}}\n```',
    reasoning: 'They want the weather.\n[FINAL]\nLet me look.',
    all: 'They want the weather.\n[FINAL]\nLet me look.\n```calls\n{"get_weather": {"city": "Paris", "days": 3}}\n---\n{"list_files": {}}\n```',
  },
  'python-lines-with-json': {
    header: '<|assistant|>',
    end: '<|stop|>',
    text: 'Let me look.',
    calls: '<|run|>\nget_weather(city="Paris",days=3)\nlist_files()\n<|/run|>',
    both: 'Let me look.<|run|>\nget_weather(city="Paris",days=3)\nlist_files()\n<|/run|>',
  },
  'hermes-tags': {
    header: '<|bot|>',
    end: '<|eos|>\n',
    begun: { unsaid: '<think>\n\n</think>\n\n', on: '<think>\n', off: '<think>\n\n</think>\n\n' },
    text: '<think>\n\n</think>\n\nLet me look.',
    calls:
      '<think>\n\n</think>\n\n<tool_use>\n{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}\n</tool_use>\n<tool_use>\n{"name": "list_files", "parameters": {}}\n</tool_use>',
    both: '<think>\n\n</think>\n\nLet me look.\n<tool_use>\n{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}\n</tool_use>\n<tool_use>\n{"name": "list_files", "parameters": {}}\n</tool_use>',
    reasoning: '<think>\nThey want the weather.\n</think>\n\nLet me look.',
    all: '<think>\nThey want the weather.\n</think>\n\nLet me look.\n<tool_use>\n{"name": "get_weather", "parameters": {"city": "Paris", "days": 3}}\n</tool_use>\n<tool_use>\n{"name": "list_files", "parameters": {}}\n</tool_use>',
  },
  'id-after-arguments': {
    header: '<|assistant|>',
    end: '<|end|>',
    text: 'Let me look.',
    calls:
      '<call><fn>get_weather</fn><args>{"city": "Paris", "days": 3}</args><id>call_1</id></call><call><fn>list_files</fn><args>{}</args><id>call_2</id></call>',
    both: 'Let me look.<call><fn>get_weather</fn><args>{"city": "Paris", "days": 3}</args><id>call_1</id></call><call><fn>list_files</fn><args>{}</args><id>call_2</id></call>',
  },
  'attributes-and-json': {
    header: '<assistant>\n',
    end: '\n</assistant>\n',
    text: '<reply>Let me look.</reply>',
    calls:
      "<invoke tool='get_weather' id='call_1'>{\"city\": \"Paris\", \"days\": 3}</invoke>\n<invoke tool='list_files' id='call_2'>{}</invoke>",
    both: "<reply>Let me look.</reply>\n<invoke tool='get_weather' id='call_1'>{\"city\": \"Paris\", \"days\": 3}</invoke>\n<invoke tool='list_files' id='call_2'>{}</invoke>",
  },
  'marked-name-and-id': {
    header: '<|a|>',
    end: '<|end|>',
    text: 'Let me look.',
    calls: '<|fn|>get_weather<|id|>call_1<|in|>{"city": "Paris", "days": 3}<|fn|>list_files<|id|>call_2<|in|>{}',
    both: 'Let me look.<|fn|>get_weather<|id|>call_1<|in|>{"city": "Paris", "days": 3}<|fn|>list_files<|id|>call_2<|in|>{}',
  },
  'python-calls-with-json-objects': {
    header: '<|assistant|>',
    end: '<|over|>',
    text: 'Let me look.',
    calls: "<|calls|>[get_weather(city='Paris', days=3), list_files()]<|/calls|>",
    both: "Let me look.<|calls|>[get_weather(city='Paris', days=3), list_files()]<|/calls|>",
  },
  'compact-json-id-first': {
    header: '<|assistant|>',
    end: '<|fin|>',
    text: 'Let me look.',
    calls:
      '<|act|>{"id":"call_1","kind":"tool","name":"get_weather","arguments":{"city": "Paris", "days": 3}}<|/act|><|act|>{"id":"call_2","kind":"tool","name":"list_files","arguments":{}}<|/act|>',
    both: 'Let me look.<|act|>{"id":"call_1","kind":"tool","name":"get_weather","arguments":{"city": "Paris", "days": 3}}<|/act|><|act|>{"id":"call_2","kind":"tool","name":"list_files","arguments":{}}<|/act|>',
  },
  'json-values-in-attributes': {
    header: '\n\nAssistant: ',
    end: '</s>',
    text: 'Let me look.',
    calls:
      "<uses><use tool='get_weather'><with key='city'>\"Paris\"</with><with key='days'>3</with></use><use tool='list_files'></use></uses>",
    both: "Let me look.<uses><use tool='get_weather'><with key='city'>\"Paris\"</with><with key='days'>3</with></use><use tool='list_files'></use></uses>",
    reasoning: '<reflect>They want the weather.</reflect>Let me look.',
    all: "<reflect>They want the weather.</reflect>Let me look.<uses><use tool='get_weather'><with key='city'>\"Paris\"</with><with key='days'>3</with></use><use tool='list_files'></use></uses>",
  },
  'headers-per-part': {
    header: '<|msg|>model',
    end: '<|done|>',
    text: ' to=user<|body|>Let me look.',
    calls:
      ' to=get_weather fmt=json<|body|>{"city": "Paris", "days": 3}<|over|><|msg|>model to=list_files fmt=json<|body|>{}',
    both: ' to=user<|body|>Let me look.<|over|><|msg|>model to=get_weather fmt=json<|body|>{"city": "Paris", "days": 3}<|over|><|msg|>model to=list_files fmt=json<|body|>{}',
    reasoning: ' on=thought<|body|>They want the weather.<|over|><|msg|>model to=user<|body|>Let me look.',
    all: ' on=thought<|body|>They want the weather.<|over|><|msg|>model to=user<|body|>Let me look.<|over|><|msg|>model to=get_weather fmt=json<|body|>{"city": "Paris", "days": 3}<|over|><|msg|>model to=list_files fmt=json<|body|>{}',
  },
  'python-values-in-tags': {
    header: '<|assistant|>\n',
    end: '<|over|>\n',
    text: 'Let me look.',
    calls:
      '\n<do>\n<fn=get_weather>\n<p=city>Paris</p>\n<p=days>3</p>\n</fn>\n</do>\n<do>\n<fn=list_files>\n</fn>\n</do>',
    both: 'Let me look.\n<do>\n<fn=get_weather>\n<p=city>Paris</p>\n<p=days>3</p>\n</fn>\n</do>\n<do>\n<fn=list_files>\n</fn>\n</do>',
  },
  'tagged-arguments-then-id': {
    header: '<|assistant|>',
    end: '<|end|>',
    text: 'Let me look.',
    calls:
      '<do fn="get_weather"><in n="city">Paris</in><in n="days">3</in><ref>call_1</ref></do><do fn="list_files"><ref>call_2</ref></do>',
    both: 'Let me look.<do fn="get_weather"><in n="city">Paris</in><in n="days">3</in><ref>call_1</ref></do><do fn="list_files"><ref>call_2</ref></do>',
  },
  'recipient-lines': {
    header: '<|header|>assistant<|/header|>\n>>>',
    end: '<|eot_id|>',
    text: 'all\nLet me look.',
    calls: 'get_weather\n{"city": "Paris", "days": 3}\n>>>list_files\n{}',
    both: 'all\nLet me look.\n>>>get_weather\n{"city": "Paris", "days": 3}\n>>>list_files\n{}',
    reasoning: 'self\nThey want the weather.\n>>>all\nLet me look.',
    all: 'self\nThey want the weather.\n>>>all\nLet me look.\n>>>get_weather\n{"city": "Paris", "days": 3}\n>>>list_files\n{}',
  },
  'python-fence': {
    header: '<start>model\n',
    end: '<end>\n',
    text: 'Let me look.',
    calls: '```tool_code\nget_weather(city="Paris", days=3)\nlist_files()\n```',
    both: 'Let me look.\n```tool_code\nget_weather(city="Paris", days=3)\nlist_files()\n```',
  },
  'marked-strings': {
    header: '<|assistant|>',
    end: '<|over|>',
    text: 'Let me look.',
    calls: '<|acts|><|act|>get_weather{city:<|q|>Paris<|q|>,days:3}<|done|><|act|>list_files{}<|done|><|/acts|>',
    both: 'Let me look.<|acts|><|act|>get_weather{city:<|q|>Paris<|q|>,days:3}<|done|><|act|>list_files{}<|done|><|/acts|>',
  },
  'typed-tagged-arguments': {
    header: '<|im_begin|>assistant\n',
    end: '<|im_close|>\n',
    text: 'Let me look.',
    calls:
      '<call name="get_weather">\n  <arg name="city" type="string">Paris</arg>\n  <arg name="days" type="number">3</arg>\n</call>\n<call name="list_files">\n</call>',
    both: 'Let me look.\n\n<call name="get_weather">\n  <arg name="city" type="string">Paris</arg>\n  <arg name="days" type="number">3</arg>\n</call>\n<call name="list_files">\n</call>',
  },
  'text-after-calls': {
    header: '[assistant]',
    end: '[/assistant]',
    text: 'Let me look.',
    calls: '[use]get_weather[with]{"city": "Paris", "days": 3}[/use][use]list_files[with]{}[/use]',
    both: '[use]get_weather[with]{"city": "Paris", "days": 3}[/use][use]list_files[with]{}[/use]Let me look.',
  },
}
