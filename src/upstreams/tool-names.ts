import { type Conversation, shortId } from '../conversation/index.ts'

/** The names of a conversation's tools as an API takes them, and back. */
export class ToolNames {
  readonly #fit: (name: string) => string
  readonly #sent = new Map<string, string>()
  readonly #original = new Map<string, string>()

  /** `fit` makes a name that the API takes; two tools may come to the same. */
  constructor({ tools, turns }: Conversation, fit: (name: string) => string) {
    this.#fit = fit
    for (const { name } of tools) this.#add(name)
    // Tools of earlier calls may be offered no more.
    for (const turn of turns) {
      if (turn.role !== 'assistant') continue
      for (const part of turn.parts) if (part.type === 'call') this.#add(part.name)
    }
  }

  sent(name: string): string {
    return this.#sent.get(name) ?? this.#fit(name)
  }

  original(sent: string): string {
    return this.#original.get(sent) ?? sent
  }

  #add(name: string): void {
    if (this.#sent.has(name)) return
    const fit = this.#fit(name)
    let sent = fit
    for (let n = 2; this.#original.has(sent); n++) sent = `${fit}_${n}`
    this.#sent.set(name, sent)
    this.#original.set(sent, name)
  }
}

/** Letters, digits and `_`, not beginning with a digit, as Cohere has it. */
export function cohereName(name: string): string {
  return begunWell(name.replace(/\W/g, '_'))
}

/**
 * Returns true if a name is valid for functions of OpenAI and of its followers. Moonshot and Gemini require a letter or
 * `_` first.
 */
export function isChatName(name: string): boolean {
  return /^[A-Za-z_][\w-]{0,63}$/.test(name)
}

/** Such a name: a name that is too long ends in a hash of all of it, with room for a number. */
export function chatName(name: string): string {
  if (isChatName(name)) return name
  const valid = begunWell(name.replace(/[^\w-]/g, '_'))
  return valid.length <= 60 ? valid : `${valid.slice(0, 50)}_${shortId(name)}`
}

function begunWell(name: string): string {
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}
