import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { isJsonObject } from '../../src/conversation/index.ts'
import { gatewaySchema } from '../../src/gateway/config/schema/schema.ts'

/** The page, and the one that it sends its readers to for plans and several upstreams. */
const pages = ['configuration.md', 'plans.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
)

/** The paths of all fields of a schema; an upstream has its type in place of its name. */
function fieldsOf(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodObject) {
    const { type } = schema.shape
    const at = path === 'upstreams.*' && type instanceof z.ZodLiteral ? `upstreams.${String(type.value)}` : path
    return Object.entries(schema.shape).flatMap(([key, field]) => fieldsOf(field, at === '' ? key : `${at}.${key}`))
  }
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional) {
    return fieldsOf(schema.unwrap(), path)
  }
  // A pipe that parses texts as numbers comes before the schema, one that builds the result comes after it.
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path)
  if (schema instanceof z.ZodArray) return [path, ...fieldsOf(schema.element, path)]
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType, `${path}.*`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path))
  return [path]
}

/** The paths of all fields that the pages' examples have, those in comments as well. */
function shown(): Set<string> {
  const paths = new Set<string>()
  const add = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) add(item, path)
    if (!isJsonObject(value)) {
      paths.add(path)
      return
    }
    for (const [key, member] of Object.entries(value)) {
      if (path === 'upstreams') add(member, `upstreams.${isJsonObject(member) ? String(member.type) : key}`)
      else if (/^upstreams\.[\w-]+\.(?:headers|models|replies\.calls\.arguments)$/.test(path)) add(member, `${path}.*`)
      else add(member, path === '' ? key : `${path}.${key}`)
    }
  }
  for (const [, yaml = ''] of pages.join('\n').matchAll(/```yaml\n(.*?)```/gs)) {
    // A field that an example leaves out is in it as a comment.
    add(parse(yaml.replace(/^(\s*)# (\w+: )/gm, '$1$2')), '')
  }
  return paths
}

/** Fields that all HTTP upstreams have are documented once, with the first type. */
const ofAll =
  /^upstreams\.(openai-responses|anthropic|ollama|llama-server|vllm|sglang)\.(?:url|key|headers|timeouts|retries|passHeaders|sessionHeader)\b/

test('docs/configuration.md shows every field of the configuration', () => {
  const schema = gatewaySchema({ upstreams: ['u'], dialects: ['d'], keysAreListed: true })
  const fields = fieldsOf(schema, '').filter((path) => !ofAll.test(path))
  expect(fields).toContain('upstreams.oci-generative-ai.models.*.format')
  expect(fields).toContain('models.upstream.weight')
  const there = shown()
  expect(fields.filter((path) => !there.has(path))).toEqual([])
})

test('docs/configuration.md shows nothing that is no field', () => {
  const schema = gatewaySchema({ upstreams: ['u'], dialects: ['d'], keysAreListed: true })
  const fields = new Set(fieldsOf(schema, ''))
  expect([...shown()].filter((path) => !fields.has(path))).toEqual([])
})
