// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

/**
 * @typedef {object} PageTools
 * @property {import('playwright-core').Page} page
 * @property {(hash: string) => Promise<void>} show shows a part of the page, by what its address has after `#/`
 * @property {(name: string) => Promise<void>} picture writes a screenshot
 * @property {(where: string) => Promise<void>} checkAccess throws if axe finds a violation on the page as it is
 */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Starts Debian's Chromium.
 *
 * @param {string} shots the folder for screenshots
 */
export async function openBrowser(shots) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  )
  if (executablePath === undefined) throw new Error('There is no Chromium: apt-get install chromium.')
  // The sandbox needs rights that a container does not have.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return {
    close: () => browser.close(),
    /**
     * Opens the page in a fresh context, and throws if anything on it fails: a script, its policy, a request to elsewhere.
     *
     * @param {{ url: string, expects?: RegExp | undefined }} options `url`: the gateway; `expects`: errors that the check causes
     * @param {(tools: PageTools) => Promise<void>} check
     */
    async onPage({ url, expects }, check) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      /** @type {string[]} */
      const faults = []
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
      page.on('console', (message) => {
        // Answers with a status of 400 and above are expected of some checks, and asserted there.
        const text = message.text()
        if (message.type() === 'error' && !text.startsWith('Failed to load resource') && !expects?.test(text))
          faults.push(text)
      })
      page.on('request', (request) => {
        if (![url, 'data:', 'file:'].some((own) => request.url().startsWith(own))) faults.push(`asked ${request.url()}`)
      })
      try {
        await page.goto(`${url}/inspector`)
        await check({
          page,
          show: async (hash) => {
            await page.goto(`${url}/inspector/#/${hash}`)
          },
          picture: async (name) => {
            await page.screenshot({ path: `${shots}${name}.png` })
          },
          checkAccess: (where) => checkAccess(page, where),
        })
      } finally {
        await context.close()
      }
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}

/** @param {import('playwright-core').Page} page @param {string} where */
async function checkAccess(page, where) {
  // Evaluated by the debugger, which the page's policy does not hold.
  await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    // @ts-expect-error axe has put itself there.
    const results = await window.axe.run()
    return results.violations.map((/** @type {any} */ { id, nodes }) => {
      return `${id}: ${nodes.map((/** @type {any} */ node) => `${node.html.slice(0, 200)} ${node.failureSummary}`).join('\n')}`
    })
  })
  if (violations.length > 0) throw new Error(`axe, ${where}: ${violations.join('\n\n')}`)
}
