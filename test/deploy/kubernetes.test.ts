import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as apps from 'kubernetes-models/apps/v1'
import type * as autoscaling from 'kubernetes-models/autoscaling/v2'
import type * as networking from 'kubernetes-models/networking.k8s.io/v1'
import type * as policy from 'kubernetes-models/policy/v1'
import type * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createNodeGateway, parseConfigText } from '../../src/gateway/index.ts'
import { folder, oneOf, resourcesOf, validate } from './manifests.ts'

const base = resourcesOf('base')

/** Returns the one resource of the base that is of this kind. */
function ofBase<Kind>(kind: string): Kind {
  return oneOf(base, kind)
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
