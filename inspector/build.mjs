// Builds the pages into one folder: that of the gateway (a script, a style sheet, an HTML file), and files of HTML that have
// their script and style in them and need no server.
import { createHash } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * The pages without a server. `data`: the id of an element with JSON that a program puts in.
 *
 * @type {readonly { name: string, title: string, data?: string }[]}
 */
const standalone = [
  { name: 'records', title: 'anycall records', data: 'records' },
  { name: 'read', title: "anycall: read a model's text" },
  { name: 'template', title: 'anycall: analyse a chat template' },
]

/**
 * Builds the inspector's pages.
 *
 * @param {{ folder: string, dialectNames: readonly string[] }} options `folder`: gets the files; `dialectNames`: those to choose from
 */
export async function buildInspector({ folder, dialectNames }) {
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { DIALECT_NAMES: JSON.stringify(dialectNames) },
    legalComments: 'none',
    logLevel: 'warning',
    outdir: folder,
  }
  await build({ ...options, entryPoints: { page: pathOf('main.tsx') } })
  copyFileSync(pathOf('index.html'), `${folder}/index.html`)
  for (const page of standalone) {
    const entryPoints = { page: pathOf(`standalone/${page.name}.tsx`) }
    const { outputFiles } = await build({ ...options, entryPoints, write: false })
    const textOf = (/** @type {string} */ end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
    writeFileSync(`${folder}/${page.name}.html`, htmlOf(page, { script: textOf('.js'), style: textOf('.css') }))
  }
}

/** @param {string} name */
function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url))
}

/**
 * Writes a page with its script and style in it. Its policy names their hashes: nothing else runs, and nothing is loaded.
 *
 * @param {(typeof standalone)[number]} page @param {{ script: string, style: string }} parts
 */
function htmlOf({ title, data }, { script, style }) {
  // These would end the element, or keep its end from being seen (HTML, "script data escaped state").
  if (/<\/?script/i.test(script) || /<\/style/i.test(style))
    throw new Error(`${title}: its script or style has a tag of HTML and cannot stand in a file`)
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript.</noscript>
${data === undefined ? '' : `    <script type="application/json" id="${data}">[]</script>\n`}    <script type="module">${script}</script>
  </body>
</html>
`
}

/** @param {string} text */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
