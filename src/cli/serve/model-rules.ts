import type { ModelRule } from '../../gateway/index.ts'

/** An upstream and the models it lists; undefined when it could not be asked. */
export interface ListedUpstream {
  name: string
  models: readonly string[] | undefined
}

/** The model that is taken when a client does not name one that the upstream has. */
export function preferredModel(models: readonly string[]): string | undefined {
  // Ollama and LM Studio list embedding models among the others.
  return models.find((model) => !/embed|rerank/i.test(model)) ?? models[0]
}

/**
 * The rules where the configuration has none: a name that an upstream lists goes there as it is, every other name to the first
 * upstream's preferred model. An upstream that did not say what it has gets the names as they are.
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

/** The rule that sends every name to one upstream, and there to one model where it is given. */
export function catchAll(upstream: string, model: string | undefined): ModelRule {
  return model === undefined ? rule(['*'], upstream) : { ...rule(['*'], upstream), model }
}

function rule(match: string[], upstream: string): ModelRule {
  return {
    match,
    upstreams: [{ name: upstream }],
    plan: 'auto',
    reasoning: 'field',
    delivery: 'live',
    corrections: 0,
    continuations: 0,
  }
}

/** A name that a client can ask for under these rules; undefined when any that the upstream has would do. */
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
