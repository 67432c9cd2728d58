import type { AuthenticationDetailsProvider, DefaultRequestSigner } from 'oci-common'
import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from '../transport/builtin-module.ts'

/** Who asks: a profile of OCI's configuration file, or what the machine itself is. */
export type OciAuth =
  | { type: 'config-file' | 'session-token'; file?: string; profile?: string }
  | { type: 'instance-principal' | 'resource-principal' }
  /** A pod of an OKE cluster, by its service account; the files are elsewhere than Kubernetes puts them where they are named. */
  | { type: 'workload-identity'; tokenFile?: string; certificateFile?: string }

/** The two packages of the SDK. */
export interface OciSdk {
  common: typeof import('oci-common')
  inference: typeof import('oci-generativeaiinference')
}

/** What requests are signed with. */
export interface OciSession {
  sdk: OciSdk
  provider: AuthenticationDetailsProvider
  signer: DefaultRequestSigner
  /** A request was accepted that was signed with it. */
  hasWorked: boolean
}

const packages = ['oci-common', 'oci-generativeaiinference'] as const

/** Loads the SDK, which is not part of anycall. Throws an AnycallError that says how to install it where it is missing. */
export async function loadOciSdk(
  upstream: string,
  load: (name: string) => Promise<unknown> = importPackage,
): Promise<OciSdk> {
  // The SDK reads files and signs with Node's crypto.
  neededModule('node:fs', `Upstream "${upstream}" (OCI's SDK)`)
  const missing: string[] = []
  for (const name of packages) {
    try {
      await load(name)
    } catch (error) {
      if (!isMissing(error)) throw error
      missing.push(name)
    }
  }
  if (missing.length > 0) {
    throw new AnycallError(
      'upstream',
      `Upstream "${upstream}" needs OCI's SDK, which is not installed: ${missing.join(' and ')}. Install it beside anycall: npm install ${packages.join(' ')}`,
    )
  }
  const [common, inference] = await Promise.all(packages.map(load))
  if (!isCommon(common) || !isInference(inference)) {
    throw new AnycallError(
      'upstream',
      `Upstream "${upstream}": ${packages.join(' and ')} are not as anycall knows them. Install version 2: npm install ${packages.map((name) => `${name}@2`).join(' ')}`,
    )
  }
  return { common, inference }
}

function importPackage(name: string): Promise<unknown> {
  // By a variable: a bundler cannot find a package that is not installed, and must not look for it.
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name)
}

function isCommon(module: unknown): module is OciSdk['common'] {
  return typeof module === 'object' && module !== null && 'DefaultRequestSigner' in module
}

function isInference(module: unknown): module is OciSdk['inference'] {
  return typeof module === 'object' && module !== null && 'GenerativeAiInferenceClient' in module
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
  )
}

/** Reads the keys, or asks the machine for them. Throws an AnycallError that says what is wrong with them. */
export async function openOciSession(upstream: string, auth: OciAuth): Promise<OciSession> {
  const sdk = await loadOciSdk(upstream)
  try {
    const provider = await createProvider(sdk, auth)
    return { sdk, provider, signer: new sdk.common.DefaultRequestSigner(provider), hasWorked: false }
  } catch (error) {
    throw authError(upstream, auth, error)
  }
}

async function createProvider({ common }: OciSdk, auth: OciAuth): Promise<AuthenticationDetailsProvider> {
  switch (auth.type) {
    case 'config-file':
      return new common.ConfigFileAuthenticationDetailsProvider(auth.file, auth.profile)
    case 'session-token':
      return new common.SessionAuthDetailProvider(auth.file, auth.profile)
    case 'instance-principal':
      return instancePrincipal(common)
    case 'resource-principal':
      return common.ResourcePrincipalAuthenticationDetailsProvider.builder()
    case 'workload-identity': {
      const { OkeWorkloadIdentityAuthenticationDetailsProvider: Provider } = common
      return new Provider.OkeWorkloadIdentityAuthenticationDetailsProviderBuilder(
        auth.certificateFile,
        auth.tokenFile,
      ).build()
    }
  }
}

/**
 * What the instance is, by its metadata service. This SDK alone of Oracle's does not read the variables that say where
 * that service is (OCI_METADATA_BASE_URL), and the one that tokens come from (OCI_SDK_AUTH_CLIENT_REGION_URL).
 */
function instancePrincipal(common: OciSdk['common']): Promise<AuthenticationDetailsProvider> {
  const { OCI_METADATA_BASE_URL: metadataUrl, OCI_SDK_AUTH_CLIENT_REGION_URL: tokenUrl } = process.env
  class Builder extends common.InstancePrincipalsAuthenticationDetailsProviderBuilder {
    protected override async autoDetectEndpointUsingMetadataUrl(): Promise<string> {
      // Finds the region as well, which must be known wherever tokens come from.
      const found = await super.autoDetectEndpointUsingMetadataUrl()
      if (!tokenUrl) return found
      this._federationEndpoint = tokenUrl.replace(/\/+$/, '')
      return tokenUrl
    }
  }
  const builder = new Builder()
  if (metadataUrl) builder.metadataBaseUrl = metadataUrl
  return builder.build()
}

const adviceByAuth: Readonly<Record<OciAuth['type'], string>> = {
  'config-file': 'Check the file and the profile in `auth`, and the key file that the profile names.',
  'session-token': 'Check the file and the profile in `auth`; `oci session authenticate` makes a new token.',
  'instance-principal': 'This works only on a compute instance of OCI that belongs to a dynamic group.',
  'workload-identity':
    'This works only in a pod of an enhanced OKE cluster, where Kubernetes sets KUBERNETES_SERVICE_HOST and OKE sets KUBERNETES_SERVICE_PORT_PROXYMUX.',
  'resource-principal':
    'This works only where OCI sets the variables OCI_RESOURCE_PRINCIPAL_…, as in functions and containers.',
}

/** The error for keys that cannot be read or used. The SDK throws errors, bare texts, and objects with a message. */
export function authError(upstream: string, auth: OciAuth, thrown: unknown): AnycallError {
  if (AnycallError.isInstance(thrown)) return thrown
  const said = messageOf(thrown).replace(pem, '[key]').trim().slice(0, 300)
  return new AnycallError(
    'authentication',
    `Upstream "${upstream}" cannot sign requests to OCI (${auth.type}): ${said.replace(/\.$/, '')}. ${adviceByAuth[auth.type]}`,
    { cause: thrown },
  )
}

function messageOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown)
}

const pem = /-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g
