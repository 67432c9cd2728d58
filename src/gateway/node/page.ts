import { neededModule } from '../../upstreams/index.ts'

/** Reads a file of the inspector's page, which the build puts beside the modules of the package. Undefined if there is none. */
export async function readPage(name: string): Promise<string | undefined> {
  try {
    return await neededModule('node:fs/promises', 'the inspector').readFile(
      new URL(`inspector/${name}`, import.meta.url),
      'utf8',
    )
  } catch {
    // The gateway runs from its sources, or in a bundle without the page's files: the route reports the missing files.
    return undefined
  }
}
