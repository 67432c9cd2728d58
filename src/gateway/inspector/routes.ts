import { AnycallError } from '../../conversation/index.ts'
import {
  analyse,
  type ExchangeRecord,
  healthOf,
  listExchanges,
  listSessions,
  missedCalls,
  type Recorder,
  readAgain,
  replayReading,
  rowsOf,
  sessionTree,
  viewOf,
} from '../../records/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { Route, RouteContext } from '../routes/context.ts'
import { checkReader } from '../routes/reader-access.ts'
import { readBody } from '../routes/reply.ts'
import { checked, filterOf, readRequest, replayRequest, templateRequest } from './input.ts'
import { liveStream } from './live.ts'
import { sendAgain } from './send-again.ts'

/** Nothing of an answer is ever shown as a page, or kept by a cache. */
const safeHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

type Answer = (context: RouteContext, recorder: Recorder, id: string) => unknown

/** Makes a route below `/inspector/api/`; `answer` returns a response, or the JSON of one. The path's group is the id. */
function route(method: Route['method'], path: string, answer: Answer): Route {
  const pattern = RegExp(`^/inspector/api/${path}$`)
  return {
    method,
    path: pattern,
    isOpen: true,
    async handle(context) {
      await checkReader(context)
      const { recorder } = context
      if (!recorder)
        throw new AnycallError(
          'not-found',
          'No records are kept: start with --inspect, or set "records" in the configuration.',
        )
      // Records of exchanges that have just ended are not in the store before this.
      await recorder.flush()
      const answered = await answer(context, recorder, pattern.exec(context.request.path)?.[1] ?? '')
      const response = isResponse(answered) ? answered : json(answered)
      Object.assign(response.headers, safeHeaders)
      return response
    },
  }
}

function isResponse(value: unknown): value is GatewayResponse {
  return typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
}

function recordOf(recorder: Recorder, id: string): ExchangeRecord {
  const record = recorder.get(id)
  if (record) return record
  throw new AnycallError(
    'not-found',
    `There is no record ${JSON.stringify(id)}: it was not kept, or it has been removed.`,
  )
}

const id = '([\\w-]{1,100})'

/** The routes of the read API. */
export const inspectorRoutes: readonly Route[] = [
  route('GET', 'exchanges', ({ request }, recorder) => listExchanges(recorder, filterOf(request.query ?? ''))),
  route('GET', `exchanges/${id}`, (_, recorder, wanted) => {
    const record = recordOf(recorder, wanted)
    const { parent } = record.session
    const before = parent === undefined ? undefined : recorder.get(parent)
    return viewOf(record, { before, missed: missedCalls(record) })
  }),
  route('POST', `exchanges/${id}/replay`, async (context, recorder, wanted) => {
    const record = recordOf(recorder, wanted)
    const request = checked(replayRequest, await readBody(context))
    return request.type === 'read' ? replayReading(record, request) : await sendAgain(record, request, context)
  }),
  route('GET', 'sessions', (_, recorder) => listSessions(recorder)),
  route('GET', `sessions/${id}`, (_, recorder, wanted) => {
    const tree = sessionTree(recorder, wanted)
    if (tree) return tree
    throw new AnycallError('not-found', `There is no session ${JSON.stringify(wanted)}.`)
  }),
  route('GET', 'live', ({ requestLog, signal }, recorder) => liveStream(recorder, requestLog, signal)),
  route('POST', 'read', async (context) => readAgain(checked(readRequest, await readBody(context)))),
  route('POST', 'template', async (context) => analyse(checked(templateRequest, await readBody(context)))),
  route('GET', 'health', async (context, recorder) => {
    const { chooser, health, textOnly } = context.knowledge
    const upstreams = [...context.upstreams.values()].map((upstream) => ({
      name: upstream.name,
      type: upstream.type,
      isReady: health.isReady(upstream.name),
    }))
    const models = (await chooser.list()).map(({ upstream, model, plan, why, from }) => {
      const seesNoImages = [...context.upstreams.values()].some(
        (one) => one.name === upstream && textOnly.has({ upstream: one, model }),
      )
      const refused = [...(from === 'refusal' ? ['tools'] : []), ...(seesNoImages ? ['images'] : [])]
      return { upstream, model, plan, why, refused }
    })
    return healthOf(rowsOf(recorder), { upstreams, models }, recorder.facts)
  }),
]
