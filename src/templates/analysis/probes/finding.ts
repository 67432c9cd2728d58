/** A comparison and its finding: one line of the analysis. */
export interface Comparison {
  /** The name that llama.cpp's auto-parser gives to the comparison, or one of the same kind: R reasoning, C content, T tools, A arguments. */
  id: string
  title: string
  /** The rendered texts, from the header of the reply on. */
  shown: readonly string[]
  finding: string
}

/** Called with each comparison as it is made. */
export type Note = (comparison: Comparison) => void
