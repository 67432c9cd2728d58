/** One way in which models mark their reasoning. */
export interface ReasoningForm {
  open: string
  close: readonly string[]
  /**
   * `tag`: words in angle brackets, which text may mention: they count at the beginning of a reply, at the beginning of
   * a line, and directly after the text before. `special`: a token that only models write: it counts anywhere. `words`:
   * words that any text may contain: they count at the beginning of a reply.
   */
  kind: 'tag' | 'special' | 'words' | 'header'
}

/** True for a form of words that text may hold as well: they are no marks, and close only what such words opened. */
export function isOfWords({ kind }: ReasoningForm): boolean {
  return kind === 'words' || kind === 'header'
}

function tag(name: string): ReasoningForm {
  return { open: `<${name}>`, close: [`</${name}>`], kind: 'tag' }
}

function special(open: string, ...close: string[]): ReasoningForm {
  return { open, close, kind: 'special' }
}

function words(open: string, ...close: string[]): ReasoningForm {
  return { open, close, kind: 'words' }
}

/** The remains of gpt-oss' headers if a server drops special tokens: `analysisWe …assistantfinalIt is …`. */
function header(open: string): ReasoningForm {
  return { open, close: ['assistantfinal', 'assistantcommentary', '<|end|>', '<|start|>assistant'], kind: 'header' }
}

/** The tags of most models; any of them may be at the beginning of a reply. */
export const thinkTags: readonly ReasoningForm[] = ['think', 'thinking', 'thought', 'reasoning', 'analysis'].map(tag)

type FormName =
  | 'think'
  | 'seed'
  | 'minimax'
  | 'longcat'
  | 'hunyuan'
  | 'mistral'
  | 'kimiVl'
  | 'granite'
  | 'graniteShort'
  | 'cohere'
  | 'harmony'
  | 'spacedHarmony'
  | 'harmonyCode'
  | 'harmonyJson'
  | 'harmonyHeader'
  | 'harmonyHeaderOfRole'
  | 'gemma'
  | 'gemmaUnnamed'
  | 'apertus'
  | 'minicpm3'
  | 'solar'
  | 'solarOpen2'
  | 'kimi'
  | 'plamo'
  | 'inkling'
  | 'k2Horizon'
  | 'k2HorizonFast'
  | 'k2HorizonFaster'
  | 'hyperclova'
  | 'hyperclovaBegun'
  | 'apriel'
  | 'pangu'
  | 'muse'

/** Each form with the models that write it. */
export const reasoningForms: Readonly<Record<FormName, ReasoningForm>> = {
  /** Qwen3, DeepSeek, GLM, Kimi K2, MiniMax M2, Nemotron. */
  think: tag('think'),
  /** Seed-OSS. */
  seed: tag('seed:think'),
  /** MiniMax M3. */
  minimax: tag('mm:think'),
  /** LongCat. */
  longcat: tag('longcat_think'),
  /** Hunyuan v3. */
  hunyuan: tag('think:opensource'),
  /** Magistral, Ministral 3. */
  mistral: special('[THINK]', '[/THINK]'),
  /** Kimi VL Thinking. */
  kimiVl: special('◁think▷', '◁/think▷'),
  /** Granite 3.2 and 3.3, if they write no tags. */
  granite: words('Here is my thought process:', 'Here is my response:', "Here's my response:"),
  graniteShort: words("Here's my thought process:", "Here's my response:", 'Here is my response:'),
  /** Command R7B, Command A. */
  cohere: special('<|START_THINKING|>', '<|END_THINKING|>'),
  /** gpt-oss. */
  harmony: special('<|channel|>analysis<|message|>', '<|end|>', '<|start|>assistant'),
  /** LLM-jp 4.1, with a blank after each special token. */
  spacedHarmony: special('<|channel|> analysis<|message|>', '<|end|>', '<|start|> assistant'),
  /** gpt-oss, with the kind of content that belongs to calls. */
  harmonyCode: special('<|channel|>analysis code<|message|>', '<|end|>', '<|start|>assistant'),
  harmonyJson: special('<|channel|>analysis json<|message|>', '<|end|>', '<|start|>assistant'),
  /** gpt-oss without special tokens. */
  harmonyHeader: header('analysis'),
  harmonyHeaderOfRole: header('assistantanalysis'),
  /** Gemma 4, with the channel's name and without it. */
  gemma: special('<|channel>thought', '<channel|>'),
  gemmaUnnamed: special('<|channel>', '<channel|>'),
  /** Apertus. */
  apertus: special('<|inner_prefix|>', '<|inner_suffix|>'),
  /** MiniCPM 3. */
  minicpm3: special('<|thought_start|>', '<|thought_end|>'),
  /** Solar Open. */
  solar: special('<|think|>', '<|end|>'),
  /** Solar Open 2. */
  solarOpen2: special('<|think:start|>', '<|think:end|>'),
  /** Kimi K3. */
  kimi: special('<|open|>think<|sep|>', '<|close|>think<|sep|>'),
  /** K2 Horizon, by how much it is to think. */
  k2Horizon: tag('ifm|think'),
  k2HorizonFast: tag('ifm|think_fast'),
  k2HorizonFaster: tag('ifm|think_faster'),
  /** HyperCLOVA X SEED Think 14B. */
  hyperclova: special('<|im_start|>assistant/think', '<|im_end|>'),
  /** The same after the prompt's header. */
  hyperclovaBegun: words('/think\n', '<|im_end|>'),
  /** Apriel 1.5, if the prompt does not end with it. */
  apriel: words('Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]'),
  /** openPangu. */
  pangu: special('[unused16]', '[unused17]'),
  /** Muse Glimmer's messages to itself. */
  muse: special('to=self<|message|>', '<|eom|>'),
  /** PLaMo 3. */
  plamo: special('<|plamo:begin_think:plamo|>', '<|plamo:end_think:plamo|>'),
  /** Inkling. */
  inkling: special('<|content_thinking|>', '<|end_message|>'),
}
