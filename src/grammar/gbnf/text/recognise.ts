import type { TextVerdict } from './match.ts'
import { Network } from './network.ts'
import { type TextGrammar, UnreadableGrammar } from './text-grammar.ts'

/**
 * Judges a text by a grammar of any rules (Earley's algorithm): all readings are followed together, so that there is
 * no way back. Rules that begin with themselves are no exception.
 */
export function recognise(grammar: TextGrammar, text: string, steps: number): TextVerdict {
  try {
    return new Recogniser(grammar, steps).judge(text)
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof UnreadableGrammar) return { type: 'unjudged' }
    throw error
  }
}

class TooManySteps extends Error {}

/** A place in a rule that was entered at some position. */
interface Item {
  at: number
  entry: Entry
}

/** A rule that was entered at one position: the items that wait for its end, and whether it ended there. */
interface Entry {
  waiting: Item[]
  endedAt: number
}

class Recogniser {
  readonly #network: Network
  readonly #start: number
  #left: number
  #position = 0
  /** The items of the position that read a character next. */
  #reading: Item[] = []
  #seen = new Map<Entry, Set<number>>()
  #entries = new Map<string, Entry>()
  #todo: Item[] = []
  readonly #whole: Entry = { waiting: [], endedAt: -1 }

  constructor({ root, rules }: TextGrammar, steps: number) {
    this.#network = new Network(rules)
    this.#start = this.#network.startOfExpression(root)
    this.#left = steps
  }

  judge(text: string): TextVerdict {
    this.#add(this.#start, this.#whole)
    this.#run()
    let offset = 0
    for (const char of text) {
      const before = this.#reading
      this.#position++
      this.#reading = []
      this.#seen = new Map()
      this.#entries = new Map()
      this.#spend(before.length)
      for (const { at, entry } of before) {
        const place = this.#network.places[at]
        if (place?.type === 'chars' && place.set.has(char)) this.#add(place.to, entry)
      }
      if (this.#todo.length === 0) return { type: 'mismatch', at: offset }
      this.#run()
      offset += char.length
    }
    return this.#whole.endedAt === this.#position ? { type: 'match' } : { type: 'mismatch', at: offset }
  }

  #spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooManySteps()
  }

  #add(at: number, entry: Entry): void {
    const places = this.#seen.get(entry)
    if (places?.has(at)) return
    if (places) places.add(at)
    else this.#seen.set(entry, new Set([at]))
    this.#todo.push({ at, entry })
  }

  #run(): void {
    for (let item = this.#todo.pop(); item; item = this.#todo.pop()) {
      this.#spend(1)
      const { at, entry } = item
      const place = this.#network.places[at]
      switch (place?.type) {
        case 'chars':
          this.#reading.push(item)
          break
        case 'skip':
          for (const to of place.to) this.#add(to, entry)
          break
        case 'call':
          this.#call(place.rule, { at: place.to, entry })
          break
        case 'end':
          entry.endedAt = this.#position
          this.#spend(entry.waiting.length)
          for (const next of entry.waiting) this.#add(next.at, next.entry)
          break
        default:
      }
    }
  }

  #call(rule: string, next: Item): void {
    const known = this.#entries.get(rule)
    const entry = known ?? { waiting: [], endedAt: -1 }
    entry.waiting.push(next)
    if (!known) {
      this.#entries.set(rule, entry)
      this.#add(this.#network.startOf(rule), entry)
    } else if (entry.endedAt === this.#position) this.#add(next.at, next.entry)
  }
}
