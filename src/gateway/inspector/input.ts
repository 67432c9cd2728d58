import * as z from 'zod'
import { AnycallError } from '../../conversation/index.ts'
import type { ExchangeFilter, ReadRequest, ReplayRequest, TemplateRequest } from '../../records/index.ts'

const text = z.string().max(16_000_000)
const name = z.string().max(1000)

const reading = {
  tools: z.array(z.unknown()).max(10_000).exactOptional(),
  dialect: name.exactOptional(),
  split: z.union([z.number().int().min(1), z.array(z.number().int().min(0)).max(1_000_000)]).exactOptional(),
  trigger: name.exactOptional(),
  delivery: z.literal(['live', 'whole']).exactOptional(),
  reasoning: z.literal(['detect', 'open']).exactOptional(),
  accept: z.record(z.string(), z.unknown()).exactOptional(),
  isCut: z.boolean().exactOptional(),
}

export const readRequest: z.ZodType<ReadRequest> = z.object({ text, ...reading })

export const replayRequest: z.ZodType<ReplayRequest> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), attempt: z.number().int().min(0).exactOptional(), ...reading }),
  z.object({
    type: z.literal('send'),
    model: name.exactOptional(),
    upstream: name.exactOptional(),
    plan: z.literal(['native', 'prompted', 'templated']).exactOptional(),
    dialect: name.exactOptional(),
  }),
])

export const templateRequest: z.ZodType<TemplateRequest> = z.object({
  template: text,
  bosToken: name.exactOptional(),
  eosToken: name.exactOptional(),
  tools: z.array(z.unknown()).max(10_000).exactOptional(),
  conversation: z.unknown().exactOptional(),
})

/** Returns the value as the schema has it. Throws `invalid-request` that names the first member that is wrong. */
export function checked<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path.join('.') || 'body'
  throw new AnycallError('invalid-request', `${path}: ${issue?.message ?? 'not valid'}`, { param: path })
}

/** Reads a list's filter from a query. Throws `invalid-request`. */
export function filterOf(query: string): ExchangeFilter {
  const parameters = new URLSearchParams(query)
  const filter: Record<string, unknown> = {}
  for (const list of ['state', 'status', 'model', 'upstream', 'plan', 'dialect', 'notice', 'tool']) {
    const values = parameters.getAll(list)
    if (values.length > 0) filter[list] = list === 'status' ? values.map(Number) : values
  }
  for (const one of ['session', 'text', 'before', 'limit']) {
    const value = parameters.get(one)
    if (value !== null) filter[one] = one === 'limit' ? Number(value) : value
  }
  return checked(filterSchema, filter)
}

const names = z.array(name).max(100).exactOptional()
const filterSchema = z.object({
  state: z.array(z.literal(['running', 'ok', 'odd', 'failed'])).exactOptional(),
  status: z.array(z.number()).max(100).exactOptional(),
  model: names,
  upstream: names,
  plan: names,
  dialect: names,
  notice: names,
  tool: names,
  session: name.exactOptional(),
  text: name.exactOptional(),
  before: name.exactOptional(),
  limit: z.number().int().min(1).exactOptional(),
})
