/** The findings of a reader beside its events; the names are those of the parsing contract. */
export interface ReadReport {
  /** True if the text contains a call, or text that looks like one. */
  sawToolCallSyntax: boolean
  /** Calls were found, and all of them refused. */
  rejectedByPolicy: boolean
  /** The names in refused calls, in the order in which they came first. */
  rejectedToolNames: string[]
}
