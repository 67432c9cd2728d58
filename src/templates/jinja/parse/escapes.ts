const simple: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
}

/** The text of a Python string literal. An escape that Python does not know stays unchanged. */
export function unescapePython(literal: string): string {
  if (!literal.includes('\\')) return literal
  return literal.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (all, x?: string, u?: string, long?: string, octal?: string, other?: string) => {
      const digits = x ?? u ?? long
      if (digits !== undefined) return fromCode(Number.parseInt(digits, 16), all)
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8), all)
      return other !== undefined && Object.hasOwn(simple, other) ? (simple[other] ?? '') : all
    },
  )
}

function fromCode(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
