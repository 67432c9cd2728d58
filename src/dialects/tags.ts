/** An opening or closing tag to look for, in any case. */
export interface Tag {
  /** How it begins: `<invoke`, `</invoke`. */
  literal: string
  /** All of it, at a place; group 1 of an opening tag is what stands behind its name. */
  whole: RegExp
  /** As much of it as the text has, from a place to the end. */
  begun: RegExp
}

/** An opening tag with more than this behind its name is none: so much is held back while it is not closed. */
const longestAttributes = 600
/** White space before the `>` of a closing tag. */
const longestPadding = 20

/** The opening tag of that name, with whatever attributes: models invent them. */
export function openingTag(name: string): Tag {
  return {
    literal: `<${name}`.toLowerCase(),
    whole: new RegExp(`<${name}(?=[\\s>/])([^<>]{0,${longestAttributes}})>`, 'iy'),
    begun: new RegExp(`<${name}(?:[\\s/][^<>]{0,${longestAttributes - 1}})?$`, 'iy'),
  }
}

export function closingTag(name: string): Tag {
  return {
    literal: `</${name}`.toLowerCase(),
    whole: new RegExp(`</${name}\\s{0,${longestPadding}}>`, 'iy'),
    begun: new RegExp(`</${name}\\s{0,${longestPadding}}$`, 'iy'),
  }
}

/** Finds an attribute's value in what stands behind a tag's name: quoted or bare, in any case; empty values are none. */
export function attributeReader(name: string): (attributes: string) => string | undefined {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, 'i')
  return (attributes) => {
    const found = pattern.exec(attributes)
    const value = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim()
    return value === '' ? undefined : value
  }
}

/** True for the attributes of a tag that closes itself: `<invoke name="f"/>`. */
export function isSelfClosing(attributes: string): boolean {
  return attributes.trimEnd().endsWith('/')
}
