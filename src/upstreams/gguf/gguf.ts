import { AnycallError, type Notice } from '../../conversation/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import { type HeldGrammar, heldGrammar } from '../completions/held-grammar.ts'
import { notTaken, UpstreamError } from '../http/upstream-error.ts'
import { describeContextOverflow } from '../refusals/context-length.ts'
import { cancelled } from '../transport/transport-error.ts'
import type {
  GenerationContext,
  GenerationRequest,
  PromptRequest,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstream.ts'
import type { Engine, EngineModel, EngineSettings } from './engine.ts'
import { checkFile, fileFault, modelNameOf, templateOfFile } from './model-file.ts'
import { nodeLlama } from './node-llama.ts'
import { SequencePool } from './sequence-pool.ts'
import { stoppable } from './stoppable.ts'
import { generateReply } from './write-reply.ts'

export interface GgufOptions extends EngineSettings {
  /** Its name in the configuration. */
  name: string
  /** The engine that runs the file. Default: llama.cpp through the package node-llama-cpp. */
  engine?: Engine
}

interface Loaded {
  model: EngineModel
  pool: SequencePool
}

/** An upstream that runs a model file in this process. The file is loaded when it is first asked for text. */
export function createGgufUpstream({ name, engine = nodeLlama, ...settings }: GgufOptions): Upstream {
  const { file } = settings
  const id = modelNameOf(file)
  let loading: Promise<Loaded> | undefined
  let shown: Promise<ChatTemplate | undefined> | undefined
  let contextSize: number | undefined

  /**
   * Loads the model. A failure is tried again with the next request: the file may be in the process of being copied, or
   * the package may get installed.
   */
  function load(context: GenerationContext): Promise<Loaded> {
    loading ??= loadAnew(context).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return untilAborted(loading, context.signal)
  }

  async function loadAnew({ log }: GenerationContext): Promise<Loaded> {
    await checkReadable()
    log('info', 'upstream.loading', { upstream: name, file })
    const started = performance.now()
    try {
      const model = await engine.load(settings)
      contextSize = model.contextSize
      log('info', 'upstream.loaded', { upstream: name, ms: Math.round(performance.now() - started), contextSize })
      return { model, pool: new SequencePool(model.sequences) }
    } catch (error) {
      throw failure(error, `${file} cannot be loaded`)
    }
  }

  async function checkReadable(): Promise<void> {
    try {
      await checkFile(file)
    } catch (error) {
      throw failure(error, `${file} cannot be read`)
    }
  }

  /** An error with the upstream's name, and the operation that failed. */
  function failure(error: unknown, what: string): AnycallError {
    if (error instanceof UpstreamError) return error
    if (AnycallError.isInstance(error)) {
      return error.code === 'cancelled'
        ? error
        : new UpstreamError(error.code, `Upstream "${name}": ${error.message}`, false)
    }
    const said = fileFault(error) ?? (error instanceof Error ? error.message : String(error))
    return new UpstreamError('upstream', `Upstream "${name}": ${what}: ${said}`, false, { cause: error })
  }

  async function models(): Promise<UpstreamModel[]> {
    await checkReadable()
    try {
      await engine.find()
    } catch (error) {
      throw failure(error, 'its engine cannot be loaded')
    }
    return [contextSize === undefined ? { id } : { id, contextLength: contextSize }]
  }

  function template(): Promise<ChatTemplate | undefined> {
    shown ??= readTemplate().catch((error: unknown) => {
      shown = undefined
      throw error
    })
    return shown
  }

  async function readTemplate(): Promise<ChatTemplate | undefined> {
    const loaded = await templateOfFile(file).catch((error: unknown) => {
      throw failure(error, `${file} cannot be read`)
    })
    if (loaded.type === 'template') return loaded.template
    if (loaded.isMissing) return undefined
    const line = loaded.line === undefined ? '' : `line ${loaded.line} of its template: `
    throw new UpstreamError('upstream', `Upstream "${name}": ${file}: ${line}${loaded.problem}`, false)
  }

  async function countTokens(text: string, _model: string, context: GenerationContext): Promise<number> {
    const { model } = await load(context)
    return promptTokens(model, text).length
  }

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    if (request.type !== 'prompt') throw notTaken(name, request)
    context.attempts?.take()
    const { model, pool } = await load(context)
    const tokens = promptTokens(model, request.prompt)
    if (tokens.length >= model.contextSize) {
      const overflow = describeContextOverflow({ type: 'prompt', tokens: tokens.length, maximum: model.contextSize })
      const advice = 'Raise its contextSize, where memory allows.'
      throw new UpstreamError('context-length', `${overflow} (upstream "${name}"). ${advice}`, false)
    }
    const { grammar, notice } = await constraintOf(model, request, context)
    const task = { model, pool, tokens, request, ...(grammar && { grammar }) }
    const reply = stoppable(generateReply(task, context.signal), context.signal, (error) => {
      if (AnycallError.isInstance(error) && error.code === 'cancelled') return
      context.log('warn', 'upstream.failed-after-stop', { upstream: name, error: String(error) })
    })
    const read = async (): Promise<IteratorResult<UpstreamEvent[], undefined>> => {
      try {
        return await reply.next()
      } catch (error) {
        throw failure(error, 'the engine failed')
      }
    }
    const first = await read()
    if (first.done || notice === undefined) return resume(first, read, reply)
    return resume({ done: false, value: [{ type: 'notice', notice }, ...first.value] }, read, reply)
  }

  /**
   * Returns the grammar for the engine. If the engine refuses it, the reply is unconstrained and a notice reports it.
   */
  async function constraintOf(
    model: EngineModel,
    { constraint }: Pick<PromptRequest, 'constraint'>,
    context: GenerationContext,
  ): Promise<{ grammar?: HeldGrammar; notice?: Notice }> {
    if (!constraint) return {}
    const grammar = heldGrammar(constraint)
    const refusal =
      grammar === undefined ? 'it cannot be written without triggers' : await model.refusalOf(grammar.text)
    if (grammar !== undefined && refusal === undefined) return { grammar }
    context.log('warn', 'upstream.constraint-refused', { upstream: name, refusal })
    const message = `Upstream "${name}" takes no such grammar (${refusal}): the reply is not held to the tools' schemas.`
    return { notice: { code: 'constraint-refused', message } }
  }

  return {
    name,
    type: 'gguf',
    abilities: { requests: ['prompt'], constraint: 'gbnf' },
    models,
    template,
    countTokens,
    generate,
    async close() {
      const loaded = await loading?.catch(() => undefined)
      loading = undefined
      await loaded?.model.close()
    },
  }
}

/** The tokens of a prompt. Templates mostly write the first token themselves: there must not be two of it. */
function promptTokens({ tokenize, firstToken }: EngineModel, prompt: string): number[] {
  const tokens = tokenize(prompt)
  return firstToken === undefined || tokens[0] === firstToken ? tokens : [firstToken, ...tokens]
}

/** Waits until the promise is settled or the signal aborts. The promise itself is not cancelled. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled(signal))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns a stream that begins with a batch that was already read. */
function resume(
  first: IteratorResult<UpstreamEvent[], undefined>,
  read: () => Promise<IteratorResult<UpstreamEvent[], undefined>>,
  reply: AsyncIterableIterator<UpstreamEvent[], undefined>,
): AsyncIterableIterator<UpstreamEvent[], undefined> {
  let waiting: typeof first | undefined = first
  return {
    next() {
      if (!waiting) return read()
      const given = waiting
      waiting = undefined
      return Promise.resolve(given)
    },
    return() {
      waiting = { done: true, value: undefined }
      return reply.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
