import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as gatewayApi from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'

// The manifests of deploy/ and the schemas that packages have of their kinds.

export interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec?: unknown
}

export const folder: string = join(import.meta.dirname, '../../deploy')
export const kubernetes: string = join(folder, 'kubernetes')
export const layers: string[] = readdirSync(kubernetes)

/** Returns the resources of a text of several documents. */
export function resourcesIn(text: string): Resource[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Resource)
}

/** Returns what the kustomization of a layer says. */
export function kustomizationOf(layer: string): {
  resources: string[]
  labels?: Record<string, unknown>[]
  patches?: { target: { kind: string; name: string } }[]
} {
  return parse(readFileSync(join(kubernetes, layer, 'kustomization.yaml'), 'utf8'))
}

/** Returns the resources of the files that a kustomization names. */
export function resourcesOf(layer: string): Resource[] {
  return kustomizationOf(layer)
    .resources.filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => resourcesIn(readFileSync(join(kubernetes, layer, name), 'utf8')))
}

/** The schemas of Kubernetes and of the Gateway API, by version. */
const versions: Record<string, Record<string, unknown>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'gateway.networking.k8s.io/v1': gatewayApi,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}

/** Returns true if there is a schema for the kind of a resource. */
export function hasSchema({ apiVersion, kind }: Resource): boolean {
  return typeof versions[apiVersion]?.[kind] === 'function'
}

/** Throws for a resource that is not as its schema has it, or that has none. */
export function validate(resource: Resource): void {
  const model = versions[resource.apiVersion]?.[resource.kind]
  if (typeof model !== 'function') throw new Error(`no schema for ${resource.apiVersion} ${resource.kind}`)
  Reflect.construct(model, [resource]).validate()
}

/** Returns the one resource of this kind. Its schema is checked first, so that it has the type of its kind. */
export function oneOf<Kind>(resources: readonly Resource[], kind: string): Kind {
  const [found, ...others] = resources.filter((resource) => resource.kind === kind)
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} resources of kind ${kind}`)
  validate(found)
  return found as Kind
}
