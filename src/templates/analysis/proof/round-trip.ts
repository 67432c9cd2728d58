import type { FormatData } from '../../../dialects/index.ts'
import { type IdPattern, idPatterns, withIds } from '../probes/ids.ts'
import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { type Probe, probesFor } from '../probes/set.ts'
import type { Surroundings } from '../turn/surroundings.ts'
import { afterLead, type TurnMarkers, untilEnd } from '../turn/turn-markers.ts'
import { type ProbeResult, readBack } from './read-back.ts'

/** Reads all probes of a template back in a format. */
export class RoundTrip {
  readonly #renderer: ProbeRenderer
  readonly #idOf: IdPattern | undefined
  readonly #written = new Map<TurnMarkers, Map<string, string | undefined>>()

  /** `ids` is the pattern of ids with which the template names the tool, by its name in `idPatterns`. */
  constructor(renderer: ProbeRenderer, ids: string | undefined) {
    this.#renderer = renderer
    this.#idOf = ids === undefined ? undefined : idPatterns[ids]
  }

  /** Each probe as the template writes it, read back in a format. */
  results(format: FormatData, surroundings: Surroundings): ProbeResult[] {
    return probesFor(this.#renderer.can).map((probe) => {
      const why = this.#fault(probe, format, surroundings)
      return { name: probe.name, passed: why === undefined, ...(why !== undefined && { why }) }
    })
  }

  /** True if the format reads every probe; it stops at the first that fails. */
  readsAll(format: FormatData, surroundings: Surroundings): boolean {
    return probesFor(this.#renderer.can).every((probe) => this.#fault(probe, format, surroundings) === undefined)
  }

  /**
   * The difference between the text that was written and the result of reading it, or the reason why the probe could
   * not be written.
   */
  #fault(probe: Probe, format: FormatData, surroundings: Surroundings): string | undefined {
    const written = this.#write(probe, surroundings)
    if (written === undefined) return 'the template refuses it'
    const isOpen = surroundings.reasoning.mode === 'delimiter' && probe.parts.some((part) => part.type === 'reasoning')
    return readBack(format, written, probe, surroundings.reasoning, isOpen)
  }

  /** The text that the template writes for a probe, from the header to the end of the turn. */
  #write(probe: Probe, { frame, content }: Surroundings): string | undefined {
    let texts = this.#written.get(frame)
    if (!texts) {
      texts = new Map()
      this.#written.set(frame, texts)
    }
    if (!texts.has(probe.name)) {
      // A template that cannot list a tool with such a type is asked with others.
      const parts = withIds(probe.parts, this.#idOf)
      const reply = this.#renderer.reply(parts, { tools: probe.tools }) ?? this.#renderer.reply(parts)
      const written = reply === undefined ? undefined : afterLead(reply, frame)
      texts.set(probe.name, written === undefined ? undefined : untilEnd(written, frame, content.close))
    }
    return texts.get(probe.name)
  }

  /** A reply with calls. */
  sample(surroundings: Surroundings): string {
    const probes = probesFor(this.#renderer.can)
    const probe =
      probes.find(({ name }) => name === 'two calls') ?? probes.find(({ parts }) => parts[0]?.type === 'call')
    return probe === undefined ? '' : (this.#write(probe, surroundings) ?? '')
  }
}
