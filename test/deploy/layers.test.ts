import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as apps from 'kubernetes-models/apps/v1'
import type * as networking from 'kubernetes-models/networking.k8s.io/v1'
import type * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  folder,
  hasSchema,
  kubernetes,
  kustomizationOf,
  layers,
  oneOf,
  type Resource,
  resourcesIn,
  resourcesOf,
  validate,
} from './manifests.ts'

const base = resourcesOf('base')
/** Resources of the engine's own installation. */
const outside = ['Gateway/inference-gateway', 'InferencePool/vllm']

describe.each(layers)('the layer %s', (layer) => {
  const written = kustomizationOf(layer)
  const own = resourcesOf(layer)

  test('names files that there are, and has no others', () => {
    for (const name of written.resources) expect(existsSync(join(kubernetes, layer, name))).toBe(true)
    const files = readdirSync(join(kubernetes, layer)).filter((name) => name !== 'kustomization.yaml')
    expect(written.resources).toEqual(expect.arrayContaining(files))
  })

  // No package has the schemas of Envoy's kinds: their references are checked.
  test('has resources as their schemas have them, with references to others that there are', () => {
    for (const resource of own) if (hasSchema(resource)) validate(resource)
    const known = new Set([...own, ...base].map(({ kind, metadata }) => `${kind}/${metadata.name}`))
    for (const resource of own) {
      for (const { kind, name } of referencesIn(resource.spec, resource.kind)) {
        expect([...known, ...outside]).toContain(`${kind}/${name}`)
      }
    }
    for (const { target } of written.patches ?? []) expect(known).toContain(`${target.kind}/${target.name}`)
  })

  test('puts no label into selectors, which name pods of others as well', () => {
    expect(written.labels ?? []).toEqual((written.labels ?? []).map(({ pairs }) => ({ pairs })))
  })

  const built = spawnSync('kubectl', ['kustomize', join(kubernetes, layer)], { encoding: 'utf8' })

  test.skipIf(built.error !== undefined)('is built by Kustomize, and lets anycall reach what it asks', () => {
    expect({ status: built.status, said: built.stderr }).toMatchObject({ status: 0 })
    const resources = resourcesIn(built.stdout)
    for (const resource of resources) if (hasSchema(resource)) validate(resource)
    const { spec } = oneOf<networking.INetworkPolicy>(resources, 'NetworkPolicy')
    const selectors = spec?.egress?.flatMap(({ to }) => to?.map(({ podSelector }) => podSelector?.matchLabels) ?? [])
    expect(selectors).toEqual([{ 'k8s-app': 'kube-dns' }, undefined, { 'app.kubernetes.io/name': 'valkey' }])
    const { hostname, port } = new URL(upstreamOf(resources))
    const engine = spec?.egress?.[1]
    const namespace = engine?.to?.[0]?.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']
    expect(hostname.split('.')[1]).toBe(namespace)
    if (engine?.ports) expect(engine.ports.map((allowed) => String(allowed.port))).toEqual([port])
  })
})

/** Returns the address of the upstream in what was built. */
function upstreamOf(resources: readonly Resource[]): string {
  const pod = oneOf<apps.IDeployment>(resources, 'Deployment').spec?.template.spec
  return pod?.containers[0]?.env?.find(({ name }) => name === 'UPSTREAM_URL')?.value ?? ''
}

describe("llm-d's picker", () => {
  const { router } = parse(readFileSync(join(folder, 'llm-d.values.yaml'), 'utf8'))
  const picker = parse(router.epp.pluginsCustomConfig[router.epp.pluginsConfigFile])

  test('uses the plugins that it has', () => {
    const plugins = picker.plugins.map(({ type }: { type: string }) => type)
    const [profile] = picker.schedulingProfiles
    expect(profile.plugins.map(({ pluginRef }: { pluginRef: string }) => pluginRef)).toEqual(plugins)
  })

  test('reads the session in the header in which the base sends it', () => {
    const config = parse(oneOf<core.IConfigMap>(base, 'ConfigMap').data?.['anycall.yaml'] ?? '')
    const headers = picker.plugins.flatMap(({ parameters }: { parameters?: { headerName?: string } }) => {
      return parameters?.headerName ?? []
    })
    expect(headers).toEqual([config.upstreams.engine.sessionHeader])
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
