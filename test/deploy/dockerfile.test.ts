import { readFileSync } from 'node:fs'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import settings from '../../package.json' with { type: 'json' }

const folder = new URL('../../deploy/', import.meta.url)
const text = readFileSync(new URL('Dockerfile', folder), 'utf8')
const file = DockerfileParser.parse(text)
const instructions = file.getInstructions()

function valuesOf(keyword: string): string[] {
  return instructions
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? '')
}

/** The instructions of the stage that becomes the image. */
const last = instructions.slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'))

describe('the Dockerfile', () => {
  test('is one', () => {
    expect(validate(text)).toEqual([])
  })

  test('names the version of each image that it begins with', () => {
    const images = file.getFROMs().map((from) => from.getImage() ?? '')
    expect(images.length).toBe(3)
    for (const image of images) expect(image).toMatch(/:(?!latest)[\w${}.-]+$/)
  })

  test('makes an image without a shell, whose user is not root and a number', () => {
    expect(last[0]?.getArgumentsContent()).toMatch(/^gcr\.io\/distroless\/\S+:nonroot$/)
    expect(valuesOf('USER')).toEqual(['65532:65532'])
    for (const keyword of ['ENTRYPOINT', 'CMD']) for (const value of valuesOf(keyword)) expect(value).toMatch(/^\[/)
    expect(last.some((instruction) => instruction.getKeyword() === 'RUN')).toBe(false)
    expect(valuesOf('ADD')).toEqual([])
  })

  test('has no key in it', () => {
    expect([...valuesOf('ENV'), ...valuesOf('ARG')].join(' ')).not.toMatch(/key|secret|token|password/i)
  })

  test('installs packages of the versions that the package takes', () => {
    const [, version = ''] = /iovalkey@([\d.]+)/.exec(text) ?? []
    expect(settings.peerDependencies.iovalkey).toBe(`^${version}`)
    expect(text).toContain('COPY package.json package-lock.json ./')
  })

  test('leaves all out of its context but what the build reads', () => {
    const ignored = readFileSync(new URL('../.dockerignore', folder), 'utf8').split('\n').filter(Boolean)
    expect(ignored[0]).toBe('**')
    const kept = ignored.slice(1).map((line) => line.replace('!', ''))
    for (const name of ['src', 'build.mjs', 'inspector', 'package.json', 'package-lock.json', ...settings.files]) {
      if (name !== 'dist') expect(kept).toContain(name)
    }
  })
})

test('Compose runs the image read-only, without rights, and longer than a reply may take to end', () => {
  const { services } = parse(readFileSync(new URL('compose.yaml', folder), 'utf8'))
  const { listen } = parse(readFileSync(new URL('anycall.yaml', folder), 'utf8'))
  for (const service of Object.values<Record<string, unknown>>(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
  const grace = Number.parseInt(services.gateway.stop_grace_period, 10)
  expect(grace).toBeGreaterThan(listen.drainSeconds + listen.graceSeconds)
})
