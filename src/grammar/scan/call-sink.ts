import type { Tool } from '../../conversation/index.ts'

/** Receives the findings of a format's reader. */
export interface CallSink {
  /**
   * Receives a call's complete name; `start` is the place, in all of the model's text, at which the call begins, and `id`
   * the model's id of it. Returns the tool that it names; undefined if the call is refused, and then only skipped.
   */
  name(name: string, start: number, id?: string): Tool | undefined
  /** Receives the model's id for the last call, if it comes after the name. */
  lateId(id: string): void
  /** True when the tool that goes by that name takes an argument of that key. */
  knows(name: string, key: string): boolean
  /** True when there is a tool that goes by that name. */
  offers(name: string): boolean
  /** The argument of the tool of that name that a text in the place of all arguments is meant for: its only one, or the only required. */
  textKey(name: string): string | undefined
  /** The name of the tool that is called if a call has arguments of these names and no name; undefined if several tools fit. */
  toolWith(keys: readonly string[]): string | undefined
  /** A piece of the arguments' JSON text. */
  argument(json: string): void
  /** The call that was named last is over; false when it broke off. */
  endCall(complete: boolean): void
  /** Something about this call; `offset` is the place in all of the model's text. */
  notice(code: string, message: string, offset: number): void
}

/**
 * `more`: wants more text; `complete`: it is over, its text taken; `broken`: a call in it cannot be read on;
 * `no-call`: it never was one, the opener was only talked about.
 */
export type BlockStatus = 'more' | 'complete' | 'broken' | 'no-call'
