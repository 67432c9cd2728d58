import { chatCompletion } from './chat-completions.ts'
import { json, type StandInServer, startStandIn } from './http-stand-in.ts'

/** A stand-in for any server with OpenAI's Chat Completions API, with the obedient model. */
export function startOpenAIServer({ pieceDelayMs }: { pieceDelayMs?: number } = {}): Promise<StandInServer> {
  return startStandIn(({ method, path, body }) => {
    switch (`${method} ${path}`) {
      case 'GET /v1/models':
        return json({ object: 'list', data: [{ id: 'obedient', object: 'model', created: 0, owned_by: 'a' }] })
      case 'POST /v1/chat/completions':
        return body.model === 'obedient'
          ? chatCompletion(body, { readsNamedChoice: true })
          : refuse(404, `The model \`${body.model}\` does not exist`, 'model_not_found')
      default:
        return refuse(404, `Invalid URL (${method} ${path})`, 'invalid_url')
    }
  }, pieceDelayMs)
}

function refuse(status: number, message: string, code: string): ReturnType<typeof json> {
  return json({ error: { message, type: 'invalid_request_error', param: null, code } }, status)
}
