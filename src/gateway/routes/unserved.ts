import { AnycallError } from '../../conversation/index.ts'
import { api, google, v1 } from './paths.ts'

/** Endpoints of the APIs that the gateway does not serve, with advice on what to do instead. */
const unserved: readonly [path: RegExp, why: string][] = [
  [
    RegExp(`^${v1}/(?:messages/)?batches(?:/|$)`),
    'No batches are made here; send each request by itself, to /v1/messages, /v1/chat/completions or /v1/responses.',
  ],
  [
    RegExp(`^${google}/models/.+:batch(?:GenerateContent|EmbedContents)$`),
    'No batches are made here; send each request by itself, to :generateContent or to /v1/embeddings.',
  ],
  [RegExp(`^${google}/models/.+:embedContent$`), 'Embeddings are served at /v1/embeddings and /api/embed only.'],
  [
    RegExp(`^(?:/upload)?${google}/(?:files|cachedContents)(?:/|$)`),
    'No files are kept here; send their content in the request.',
  ],
  [
    RegExp(`^${v1}/conversations(?:/|$)`),
    'No conversations are kept here; send all items in input, or name the last response in previous_response_id.',
  ],
  [RegExp(`^${v1}/(?:uploads|vector_stores)(?:/|$)`), 'No files are kept here; send their content in the request.'],
  [
    RegExp(`^${v1}/(?:audio|images|moderations|fine_tuning|assistants|threads|realtime)(?:/|$)`),
    'Only text is made here: by /v1/chat/completions, /v1/responses and /v1/messages. Send other requests to their server.',
  ],
  [
    RegExp(`^${api}/(?:create|copy|delete|push|blobs)(?:/|$)`),
    'Models are not changed here; send this request to their server.',
  ],
]

/** Throws `not-found` with the reason, for a path that the APIs have and the gateway has not. */
export function refuseUnserved(path: string): void {
  const why = unserved.find(([pattern]) => pattern.test(path))?.[1]
  if (why !== undefined) throw new AnycallError('not-found', `${path.slice(0, 200)} is not served. ${why}`)
}
