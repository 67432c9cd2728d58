import { describe, expect, test } from 'vitest'
import { ConfigError, type GatewayConfig, parseConfig } from '../config.ts'

const bare = { type: 'oci-generative-ai', compartment: 'ocid1.compartment.oc1..aaaa' }

function parse(oci: unknown): GatewayConfig {
  return parseConfig({ upstreams: { oci } } as unknown, { file: 'config.yaml', env: {}, dialects: [] })
}

function problems(oci: unknown): string[] {
  try {
    parse(oci)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').map((line) => line.replace('config.yaml: ', ''))
    throw error
  }
  return []
}

describe('an upstream of OCI Generative AI', () => {
  test('gets its defaults', () => {
    expect(parse({ ...bare, endpoint: 'https://own.example//', models: { m: {} } }).upstreams.oci).toEqual({
      ...bare,
      endpoint: 'https://own.example',
      auth: { type: 'config-file' },
      models: { m: { maxTokensField: 'maxTokens' } },
      timeouts: { connect: 5, firstByte: 600, idle: 120 },
      retries: 2,
    })
  })

  test('keeps all that can be set', () => {
    const written = {
      ...bare,
      region: 'eu-frankfurt-1',
      auth: { type: 'session-token', file: '~/.oci/config', profile: 'TEAM' },
      models: {
        m: {
          id: 'ocid1.generativeaimodel.oc1..mmmm',
          endpoint: 'ocid1.generativeaiendpoint.oc1..eeee',
          format: 'cohere',
          maxTokensField: 'maxCompletionTokens',
          maxTokens: 4000,
          temperature: 0.5,
        },
      },
      timeouts: { connect: 1, firstByte: 2, idle: 3 },
      retries: 0,
    }
    expect(parse(written).upstreams.oci).toEqual(written)
    const pod = {
      ...written,
      auth: { type: 'workload-identity', tokenFile: '/t', certificateFile: '/c' },
      models: { m: { format: 'cohere-v2', maxTokensField: 'maxTokens' } },
    }
    expect(parse(pod).upstreams.oci).toEqual(pod)
  })

  test.each<[unknown, RegExp]>([
    [{ ...bare, compartment: 'mine' }, /upstreams\.oci\.compartment.*OCID of a compartment/],
    [{ type: bare.type }, /upstreams\.oci\.compartment.*OCID of a compartment/],
    [{ ...bare, region: 'US Chicago' }, /upstreams\.oci\.region.*us-chicago-1/],
    [{ ...bare, key: 'sk-1' }, /upstreams\.oci\.key.*not a known key/],
    [{ ...bare, auth: { type: 'config' } }, /upstreams\.oci\.auth\.type.*config-file/],
    [{ ...bare, auth: { type: 'instance-principal', profile: 'P' } }, /upstreams\.oci\.auth.*no file and no profile/],
    [{ ...bare, auth: { type: 'workload-identity', file: 'f' }, region: 'r' }, /auth.*no file and no profile/],
    [{ ...bare, auth: { type: 'config-file', tokenFile: 'f' } }, /auth.*no tokenFile and no certificateFile/],
    [{ ...bare, auth: { type: 'workload-identity' } }, /upstreams\.oci\.region.*us-chicago-1/],
    [{ ...bare, models: { m: { format: 'coher' } } }, /upstreams\.oci\.models\.m\.format.*did you mean cohere/],
    [
      { ...bare, models: { m: { endpoint: 'https://x' } } },
      /upstreams\.oci\.models\.m\.endpoint.*generativeaiendpoint/,
    ],
  ])('%j is refused', (oci, problem) => {
    expect(problems(oci)).toEqual([expect.stringMatching(problem)])
  })
})
