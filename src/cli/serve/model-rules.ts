import type { ModelRule } from '../../gateway/index.ts'

/** An upstream and the models it lists; undefined if it could not be asked. */
export interface ListedUpstream {
  name: string
  models: readonly string[] | undefined
}

/** Returns the model to use if a client names one that the upstream does not have. */
export function preferredModel(models: readonly string[]): string | undefined {
  // Ollama and LM Studio list embedding models among the others.
  return models.find((model) => !/embed|rerank/i.test(model)) ?? models[0]
}

/**
 * Returns the rules for a configuration without any. A model that an upstream lists goes to that upstream, every other name to the
 * first upstream's preferred model. An upstream without a list receives the names unchanged.
 */
export function rulesFor(upstreams: readonly ListedUpstream[]): ModelRule[] {
  const rules: ModelRule[] = []
  for (const { name, models = [] } of upstreams) {
    if (models.length > 0) rules.push(rule([...models], name))
  }
  const [first] = upstreams
  if (first) rules.push(catchAll(first.name, preferredModel(first.models ?? [])))
  return rules
}

/** Returns the rule that sends every name to one upstream, and to one model if it is given. */
export function catchAll(upstream: string, model: string | undefined): ModelRule {
  return model === undefined ? rule(['*'], upstream) : { ...rule(['*'], upstream), model }
}

function rule(match: string[], upstream: string): ModelRule {
  return {
    match,
    upstreams: [{ name: upstream }],
    plan: 'auto',
    reasoning: 'field',
    showReasoning: 'asked',
    delivery: 'live',
    corrections: 0,
    continuations: 0,
    toolSearch: 0,
  }
}

/** Returns a name that a client can request under these rules; undefined if they accept any of the upstream's names. */
export function exampleModel(rules: readonly ModelRule[]): string | undefined {
  for (const { match, model } of rules) {
    const literal = match.filter((pattern) => !pattern.includes('*'))
    const preferred = preferredModel(literal)
    if (preferred !== undefined) return preferred
    const [pattern] = match
    if (model !== undefined && pattern !== undefined) return pattern === '*' ? model : pattern.replaceAll('*', 'any')
  }
  return undefined
}
