/** The findings of a reader beside its events; the names are those of the parsing contract. */
export interface ReadReport {
  /** The text has what looks like a call, or a call. */
  sawToolCallSyntax: boolean
  /** Calls were found, and all of them refused. */
  rejectedByPolicy: boolean
  /** The names in refused calls, in the order in which they came first. */
  rejectedToolNames: string[]
}
