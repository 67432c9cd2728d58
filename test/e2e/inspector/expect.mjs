// @ts-check
import assert from 'node:assert/strict'

const triesMs = [10, 20, 50, 100, 100, 200, 200, 500, 500, 1000, 1000, 2000, 2000, 4000]

/**
 * Waits until a question has the answer that is wanted, and fails with the last answer.
 *
 * @template Answer
 * @param {() => Promise<Answer>} ask @param {(answer: Answer) => boolean} isRight @param {string} what
 */
export async function eventually(ask, isRight, what) {
  let answer = await ask()
  for (const ms of triesMs) {
    if (isRight(answer)) return
    await new Promise((resolve) => setTimeout(resolve, ms))
    answer = await ask()
  }
  assert.ok(isRight(answer), `${what}; there is ${JSON.stringify(answer)?.slice(0, 1000)}`)
}

/** @param {import('playwright-core').Locator} locator @param {string} text */
export async function expectText(locator, text) {
  await locator.waitFor()
  await eventually(
    async () => (await locator.textContent()) ?? '',
    (found) => found.includes(text),
    `wanted the text ${JSON.stringify(text)}`,
  )
}

/** @param {import('playwright-core').Locator} locator @param {number} count */
export async function expectCount(locator, count) {
  await eventually(
    () => locator.count(),
    (found) => found === count,
    `wanted ${count} of ${locator}`,
  )
}
