// @ts-check

/** @type {(...lines: string[]) => import('./client.mjs').Call} */
const patch = (...lines) => ({
  name: 'apply_patch',
  input: { input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
})

/**
 * Files written and edited by patches of Codex.
 * @satisfies {Partial<import('./client.mjs').Tools>}
 */
export const patchTools = {
  write: (/** @type {string} */ path, /** @type {string} */ text) =>
    patch(`*** Add File: ${path}`, ...text.split('\n').map((line) => `+${line}`)),
  edit: (/** @type {string} */ path, /** @type {string} */ before, /** @type {string} */ after) =>
    patch(`*** Update File: ${path}`, '@@', `-${before}`, `+${after}`),
}
