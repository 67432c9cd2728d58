// Builds the page into dist/inspector/: one script, one style sheet, one HTML file.
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Builds the inspector's page.
 *
 * @param {{ folder: string, dialectNames: readonly string[] }} options `folder`: gets the files; `dialectNames`: those to choose from
 */
export async function buildInspector({ folder, dialectNames }) {
  await build({
    entryPoints: { page: fileURLToPath(new URL('main.tsx', import.meta.url)) },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { DIALECT_NAMES: JSON.stringify(dialectNames) },
    legalComments: 'none',
    logLevel: 'warning',
  })
  copyFileSync(new URL('index.html', import.meta.url), `${folder}/index.html`)
}
