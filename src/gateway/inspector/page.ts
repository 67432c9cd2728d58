import { AnycallError } from '../../conversation/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import type { Route, RouteContext } from '../routes/context.ts'
import { checkReader } from '../routes/reader-access.ts'

/** The page shows what models and clients wrote: it loads nothing from elsewhere, and no text of theirs becomes markup. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
}

/** The files of the page, with their types. */
const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
}

/** The routes of the page: its three files. */
export const pageRoutes: readonly Route[] = [
  // Addresses in the page are relative to the folder, so that they hold below any base path.
  page(/^\/inspector$/, async () => ({ status: 308, headers: { location: 'inspector/' }, body: '' })),
  page(/^\/inspector\/$/, (context) => fileOf(context, 'index.html')),
  ...Object.keys(types).map((name) =>
    page(RegExp(`^/inspector/${name.replace('.', '\\.')}$`), (context) => fileOf(context, name)),
  ),
]

function page(path: RegExp, answer: (context: RouteContext) => Promise<GatewayResponse>): Route {
  return {
    method: 'GET',
    path,
    isOpen: true,
    async handle(context) {
      await checkVisitor(context)
      const response = await answer(context)
      Object.assign(response.headers, pageHeaders)
      return response
    },
  }
}

/** Checks a visitor as the API does, except that the page itself asks for a missing key: its files are the same for everyone. */
async function checkVisitor(context: RouteContext): Promise<void> {
  try {
    await checkReader(context)
  } catch (error) {
    if (!(error instanceof AnycallError) || error.code !== 'authentication') throw error
  }
}

async function fileOf({ recorder, readPage }: RouteContext, name: string): Promise<GatewayResponse> {
  if (!recorder) {
    throw new AnycallError(
      'not-found',
      'No records are kept: start with --inspect, or set "records" in the configuration.',
    )
  }
  const text = await readPage?.(name)
  if (text === undefined) {
    throw new AnycallError(
      'not-found',
      'This gateway has no page: it is served by the package "anycall" on Node, Deno and Bun. The API is below /inspector/api/.',
    )
  }
  return { status: 200, headers: { 'content-type': types[name] ?? 'text/plain; charset=utf-8' }, body: text }
}
