import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createNodeGateway, parseConfigText } from '../../src/gateway/index.ts'

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec?: unknown
}

const folder = join(import.meta.dirname, '../../deploy')
const kubernetes = join(folder, 'kubernetes')
const layers = readdirSync(kubernetes)

/** The files that a kustomization names, as their resources. */
function resourcesOf(layer: string): Resource[] {
  const { resources } = parse(readFileSync(join(kubernetes, layer, 'kustomization.yaml'), 'utf8'))
  return resources
    .filter((name: string) => name.endsWith('.yaml'))
    .flatMap((name: string) => parseAllDocuments(readFileSync(join(kubernetes, layer, name), 'utf8')))
    .map((document: { toJS(): Resource }) => document.toJS())
}

/** Kubernetes' own schemas, by version. */
const versions: Record<string, Record<string, unknown>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}

/** Throws for a resource that is not as Kubernetes' schema has it. */
function validate(resource: Resource): void {
  const model = versions[resource.apiVersion]?.[resource.kind]
  if (typeof model !== 'function') throw new Error(`no schema for ${resource.apiVersion} ${resource.kind}`)
  Reflect.construct(model, [resource]).validate()
}

const base = resourcesOf('base')

/** Returns the one resource of the base that is of this kind. Its schema is checked first, so that it has the type of its kind. */
function ofBase<Kind>(kind: string): Kind {
  const [found, ...others] = base.filter((resource) => resource.kind === kind)
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} resources of kind ${kind}`)
  validate(found)
  return found as Kind
}

const template = ofBase<apps.IDeployment>('Deployment').spec?.template
const pod = template?.spec
const container = pod?.containers[0]
const configText = ofBase<core.IConfigMap>('ConfigMap').data?.['anycall.yaml'] ?? ''
const { listen } = parse(configText)
const env = {
  ANYCALL_SECRET: 'a secret of the test',
  ANYCALL_KEY: 'a-client-key',
  METRICS_KEY: 'a-metrics-key',
  UPSTREAM_URL: 'http://127.0.0.1:9/v1',
  STORE_URL: 'redis://127.0.0.1:9',
}

describe('the base', () => {
  test.each(base.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource] as const))(
    '%s is as its schema has it',
    (_, resource) => {
      validate(resource)
      expect(() => validate({ ...resource, spec: 'none', metadata: 7 as never })).toThrow()
    },
  )

  test('selects its own pods, by the port that they have', () => {
    const selectors = [
      ofBase<apps.IDeployment>('Deployment').spec?.selector.matchLabels,
      ofBase<policy.IPodDisruptionBudget>('PodDisruptionBudget').spec?.selector?.matchLabels,
      ofBase<core.IService>('Service').spec?.selector,
      ofBase<networking.INetworkPolicy>('NetworkPolicy').spec?.podSelector?.matchLabels,
    ]
    for (const selector of selectors) {
      expect(selector).not.toEqual({})
      expect(template?.metadata?.labels).toMatchObject(selector ?? { none: true })
    }
    expect(container?.ports?.[0]?.containerPort).toBe(listen.port)
  })

  test('gives running replies the time that the configuration promises', () => {
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(listen.drainSeconds + listen.graceSeconds)
    // The pod is out of the endpoints before its listener closes.
    const { periodSeconds = 10, failureThreshold = 3 } = container?.readinessProbe ?? {}
    expect(periodSeconds * failureThreshold).toBeLessThan(listen.drainSeconds)
  })

  test('has a configuration that the gateway takes, the same as Compose has', () => {
    expect(parse(configText)).toEqual(parse(readFileSync(join(folder, 'anycall.yaml'), 'utf8')))
    expect(parseConfigText(configText, { file: 'anycall.yaml', env }).keys).toEqual([env.ANYCALL_KEY])
    expect(container?.volumeMounts?.[0]?.mountPath).toBe('/etc/anycall')
  })

  test('asks for paths and metrics that there are', async () => {
    const gateway = createNodeGateway({ config: parseConfigText(configText, { file: 'anycall.yaml', env }) })
    const get = (path: string): Promise<Response> =>
      gateway.fetch(new Request(`http://gateway${path}`, { headers: { authorization: `Bearer ${env.METRICS_KEY}` } }))
    for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]) {
      expect((await get(probe?.httpGet?.path ?? '/none')).status).toBe(200)
    }
    const metrics = await (await get('/metrics')).text()
    const asked = ofBase<autoscaling.IHorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec?.metrics ?? []
    expect(asked.length).toBe(2)
    for (const { pods } of asked) expect(metrics).toContain(`# TYPE ${pods?.metric.name} `)
    await gateway.close()
  })

  test('runs without rights, and without a key in its text', () => {
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container?.envFrom).toEqual([{ secretRef: { name: 'anycall' } }])
    expect(base.some(({ kind }) => kind === 'Secret')).toBe(false)
  })
})

// No package has the schemas of these for the versions of Node that anycall supports: their references are checked.
describe.each(layers)('the layer %s', (layer) => {
  const written = parse(readFileSync(join(kubernetes, layer, 'kustomization.yaml'), 'utf8'))

  test('names files that there are, and has no others', () => {
    for (const name of written.resources) expect(existsSync(join(kubernetes, layer, name))).toBe(true)
    const files = readdirSync(join(kubernetes, layer)).filter((name) => name !== 'kustomization.yaml')
    expect(written.resources).toEqual(expect.arrayContaining(files))
  })

  test('refers to resources that there are', () => {
    const own = resourcesOf(layer)
    const known = new Set([...own, ...base].map(({ kind, metadata }) => `${kind}/${metadata.name}`))
    const outside = new Set(['Gateway/inference-gateway'])
    for (const resource of own) {
      for (const { kind, name } of referencesIn(resource.spec, resource.kind)) {
        expect([...known, ...outside]).toContain(`${kind}/${name}`)
      }
    }
    for (const { target } of written.patches ?? []) expect(known).toContain(`${target.kind}/${target.name}`)
  })
})

/** The references to other resources in a value. A route of the AI gateway names services without their kind. */
function referencesIn(value: unknown, kind: string): { kind: string; name: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => referencesIn(item, kind))
  const inside = Object.entries(value).flatMap(([key, member]) =>
    key === 'backendRefs' && kind === 'AIGatewayRoute'
      ? (member as { name: string }[]).map(({ name }) => ({ kind: 'AIServiceBackend', name }))
      : referencesIn(member, kind),
  )
  const { kind: named, name, group } = value as Record<string, unknown>
  return typeof named === 'string' && typeof name === 'string' && group !== undefined
    ? [{ kind: named, name }, ...inside]
    : inside
}
