import type { Environment } from '../../gateway/index.ts'

/** A hosted API, which is known by the variable of its key. */
export interface HostedApi {
  /** Its name as an upstream. */
  id: string
  name: string
  /** The variable of the environment that has its key. */
  variable: string
  type: 'anthropic' | 'openai-chat'
  url: string
  /** The patterns of its models' names, if they are its own; else a rule must name its models. */
  match?: readonly string[]
}

/** In the order in which they are written. */
const hostedApis: readonly HostedApi[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    variable: 'ANTHROPIC_API_KEY',
    type: 'anthropic',
    url: 'https://api.anthropic.com',
    match: ['claude-*'],
  },
  openAILike('openai', 'OpenAI', 'OPENAI_API_KEY', 'https://api.openai.com/v1', ['gpt-*', 'o1*', 'o3*', 'o4*']),
  openAILike('gemini', 'Gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta/openai', [
    'gemini-*',
  ]),
  openAILike('mistral', 'Mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1', [
    'mistral-*',
    'codestral-*',
    'devstral-*',
    'magistral-*',
    'ministral-*',
  ]),
  openAILike('deepseek', 'DeepSeek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1', ['deepseek-*']),
  openAILike('xai', 'xAI', 'XAI_API_KEY', 'https://api.x.ai/v1', ['grok-*']),
  openAILike('groq', 'Groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1'),
  openAILike('cerebras', 'Cerebras', 'CEREBRAS_API_KEY', 'https://api.cerebras.ai/v1'),
  openAILike('together', 'Together', 'TOGETHER_API_KEY', 'https://api.together.xyz/v1'),
  openAILike('openrouter', 'OpenRouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
]

function openAILike(id: string, name: string, variable: string, url: string, match?: readonly string[]): HostedApi {
  return { id, name, variable, type: 'openai-chat', url, ...(match && { match }) }
}

/** Returns the hosted APIs whose keys are in the environment. */
export function hostedIn(env: Environment): HostedApi[] {
  return hostedApis.filter(({ variable }) => (env[variable] ?? '').trim() !== '')
}
