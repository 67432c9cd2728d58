// @ts-check

/**
 * Returns the errors in the prompts of a conversation: each must begin with the one before it, or an engine reads all
 * of it again. Those of other conversations (the requests of subagents) are left out: their steps declare them.
 * @param {readonly import('./model.mjs').Asked[]} asked
 */
export function checkPrompts(asked) {
  const own = asked.filter(({ step }) => step.when === undefined && !step.isContinuation)
  return own.flatMap(({ step, beginning }, index) => {
    const before = own[index - 1]?.beginning
    if (before === undefined || step.isNewPrompt) return []
    const differs = before.findIndex((part, i) => !isSame(part, beginning[i], before.length === 1))
    if (differs < 0) return []
    return [
      `prompt ${index + 1} does not begin with prompt ${index}: ${firstDifference(before[differs] ?? '', beginning[differs] ?? '')}`,
    ]
  })
}

/**
 * @param {string} part
 * @param {string | undefined} later
 * @param {boolean} isWhole a whole prompt, which goes on; a message does not
 */
function isSame(part, later, isWhole) {
  return later !== undefined && (isWhole ? later.startsWith(part) : later === part)
}

/**
 * @param {string} one
 * @param {string} other
 */
function firstDifference(one, other) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const show = (/** @type {string} */ text) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60))
  return `${show(one)} became ${show(other)}`
}
