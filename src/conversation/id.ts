const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `prefix` and 22 random letters and digits: 130 bits, so ids never meet, whoever makes them. */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(22))
  let id = prefix
  // 256 is not a multiple of 62: the first letters are a little likelier, which costs less than half a bit in all.
  for (const byte of bytes) id += alphabet[byte % 62]
  return id
}
