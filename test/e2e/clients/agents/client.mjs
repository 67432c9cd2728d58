// @ts-check

/** @typedef {import('../../played/forms.mjs').Call} Call */

/**
 * The tools of a client, as calls: each runs one operation. An operation that takes several calls is a list.
 * @typedef {object} Tools
 * @property {(command: string) => Call} shell
 * @property {(path: string) => Call} read
 * @property {(path: string, from: number, to: number) => Call} [readPart] reads lines, of which the first is 1, if `read` refuses 30 kB
 * @property {(path: string, text: string) => Call} write
 * @property {(path: string, before: string, after: string) => Call} edit replaces a text that the file has once
 * @property {boolean} [addsNewline] true: a text that `write` writes ends with a line break
 * @property {((path: string) => Call) | undefined} [image] shows an image to the model
 */

/**
 * The place of a run.
 * @typedef {object} Place
 * @property {string} url the gateway's
 * @property {string} prompt the user's words
 * @property {string} home a folder of its own, so that no settings of the person who runs the test are read
 * @property {string} cwd the folder in which the client works
 * @property {string} modules the folder of the client's packages
 */

/**
 * The needs of a client for one run.
 * @typedef {object} Setup
 * @property {readonly string[]} args
 * @property {Record<string, string>} [env]
 * @property {Record<string, string>} [files] written before the run, by their paths in `home`
 */

/**
 * A scenario that only this client has.
 * @typedef {object} Extra
 * @property {string} name as the table names it
 * @property {(setup: Setup) => Setup} [change]
 * @property {readonly import('../../played/model.mjs').Step[]} steps
 */

/**
 * One way in which a client reaches the gateway: a row of the table.
 * @typedef {object} Mode
 * @property {string} protocol
 * @property {string} [provider] the client's own word for it, if it has several ways
 * @property {(place: Place) => Setup} setup
 * @property {Tools} tools
 * @property {(place: { home: string, cwd: string }) => string} [folder] the folder that paths of tools begin with; by default paths are relative
 * @property {boolean} returnsReasoning true: the model's reasoning comes back with the next request
 * @property {string} [rewrites] why a prompt does not begin with the one before it
 * @property {string} [changesReplies] why a reply does not come back as the model wrote it
 * @property {string} [withoutImage] why no image reaches the model
 * @property {readonly import('../../played/model.mjs').Aside[]} [asides]
 * @property {readonly string[]} [notices] the codes of what the gateway degrades
 * @property {RegExp} [refused] paths that the gateway does not serve, and that the client can do without
 * @property {readonly Extra[]} [extras]
 * @property {boolean} [isCore] run by default, and in CI
 */

/**
 * @typedef {object} Client
 * @property {string} id
 * @property {string} name
 * @property {string} package
 * @property {string} version pinned: what a client sends changes from release to release
 * @property {string} [folder] of the cache, in which others install the same client
 * @property {22 | 24} [node] the Node that it needs, if not the one that runs the tests
 * @property {{ binary: string } | { script: string } | { file: string }} program a binary or script of its packages, or a script of ours
 * @property {readonly Mode[]} modes
 */

/**
 * A client that cannot be run here.
 * @typedef {{ name: string, version: string, reason: string }} Absent
 */

/**
 * Matches requests that offer no tools: titles, summaries, checks.
 * @type {import('../../played/model.mjs').Aside}
 */
export const withoutTools = {
  when: ({ prompt }) => !/<<CALL_\w+>>|<tools>/.test(prompt),
  says: 'A title',
}
