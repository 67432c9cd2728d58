import { AnycallError } from '../../conversation/index.ts'

/** The paths of a kind of API. */
export interface AddressStyle {
  /** The path of the API, added if the url has no path. Empty if the API is at the root. */
  path: string
  /** Endings of a url that people paste, which are no part of the API's own. */
  endpoints: readonly RegExp[]
}

/** The address of an upstream's API. */
export class HttpAddress {
  readonly #origin: string
  readonly #path: string
  readonly #search: string

  /** Throws an AnycallError if `url` is not valid. `name` is the upstream's. */
  constructor(name: string, url: string, { path, endpoints }: AddressStyle) {
    const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
    if (!/^https?:/i.test(full) || !URL.canParse(full)) {
      throw new AnycallError(
        'invalid-request',
        `The url of upstream "${name}" is not an http or https URL: "${url}". A url looks like http://127.0.0.1:8080${path}.`,
        { param: 'url' },
      )
    }
    const { origin, pathname, search } = new URL(full)
    const given = endpoints.reduce((rest, endpoint) => rest.replace(endpoint, ''), pathname.replace(/\/+$/, ''))
    this.#origin = origin
    this.#path = given || path
    this.#search = search
  }

  /** The URL of a path of the API; one that begins with `//` is that of the server itself: `//props`. */
  urlOf(path: string): string {
    return path.startsWith('//')
      ? this.#origin + path.slice(1) + this.#search
      : this.#origin + this.#path + path + this.#search
  }
}
