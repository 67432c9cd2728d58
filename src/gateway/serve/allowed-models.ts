import { AnycallError } from '../../conversation/index.ts'
import type { ModelsQuery } from '../../upstreams/index.ts'
import type { KeyHolder } from '../config/config.ts'
import { longestName, type ModelRoute, type Models, type ModelsFailed, type ModelTable, patternOf } from './models.ts'

/** Returns the names of the models that the holder of a key may request. */
export function modelsOfKeys(table: ModelTable): (holder: KeyHolder | undefined) => Models {
  const allowed = new WeakMap<KeyHolder, Models>()
  return (holder) => {
    const { name, models } = holder ?? {}
    if (!holder || name === undefined || models === undefined) return table
    const own = allowed.get(holder) ?? new AllowedModels(table, { name, models })
    allowed.set(holder, own)
    return own
  }
}

/** The models that one key may use: all others are refused, and missing in lists. */
export class AllowedModels implements Models {
  readonly #table: ModelTable
  readonly #name: string
  readonly #match: readonly string[]
  readonly #patterns: RegExp

  constructor(table: ModelTable, { name, models }: { name: string; models: readonly string[] }) {
    this.#table = table
    this.#name = name
    this.#match = models
    this.#patterns = patternOf(models)
  }

  anthropicName(model: string): string {
    return this.#table.anthropicName(model)
  }

  /** Throws `permission` for a model that the key may not use, whether it exists or not. */
  route(name: string): ModelRoute {
    const model = this.#table.ownName(name)
    if (model.length <= longestName && this.#patterns.test(model)) return this.#table.route(model)
    const some = this.#match.slice(0, 20).join(', ') + (this.#match.length > 20 ? ', …' : '')
    throw new AnycallError(
      'permission',
      `The key "${this.#name}" may not use the model "${model.slice(0, 200)}". It may use: ${some}.`,
      { param: 'model' },
    )
  }

  async list(query: ModelsQuery, failed: ModelsFailed): Promise<string[]> {
    return (await this.#table.list(query, failed)).filter((model) => this.#patterns.test(model))
  }

  async contextLength(model: string, query: ModelsQuery, failed: ModelsFailed): Promise<number | undefined> {
    this.route(model)
    return this.#table.contextLength(model, query, failed)
  }
}
