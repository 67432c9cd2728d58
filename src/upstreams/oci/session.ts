import type { AuthenticationDetailsProvider, DefaultRequestSigner } from 'oci-common'
import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from '../transport/builtin-module.ts'

/** The identity that signs requests: a profile of OCI's configuration file, or the machine itself. */
export type OciAuth =
  | { type: 'config-file' | 'session-token'; file?: string; profile?: string }
  | { type: 'instance-principal' | 'resource-principal' }
  /** A pod of an OKE cluster, by its service account. The files default to the paths that Kubernetes uses. */
  | { type: 'workload-identity'; tokenFile?: string; certificateFile?: string }

/** The package of Oracle's SDK that reads keys and signs requests. */
export type OciCommon = typeof import('oci-common')

/** The keys that requests are signed with. */
export interface OciSession {
  common: OciCommon
  provider: AuthenticationDetailsProvider
  signer: DefaultRequestSigner
  /** True once the service has accepted a request that was signed with it. */
  hasWorked: boolean
}

const packageName = 'oci-common'

/**
 * Loads the SDK, which is not part of anycall. If it is missing, throws an AnycallError with the command that installs
 * it.
 */
export async function loadOciSdk(
  upstream: string,
  load: (name: string) => Promise<unknown> = importPackage,
): Promise<OciCommon> {
  // The SDK reads files and signs with Node's crypto.
  neededModule('node:fs', `Upstream "${upstream}" (OCI's SDK)`)
  const common = await load(packageName).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    throw new AnycallError(
      'upstream',
      `Upstream "${upstream}" needs OCI's SDK, which is not installed. Install it next to anycall: npm install ${packageName}`,
    )
  })
  if (isCommon(common)) return common
  throw new AnycallError(
    'upstream',
    `Upstream "${upstream}": the installed version of ${packageName} is not supported. Install version 2: npm install ${packageName}@2`,
  )
}

function importPackage(name: string): Promise<unknown> {
  // The name is a variable so that bundlers do not look for a package that may not be installed.
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name)
}

function isCommon(module: unknown): module is OciCommon {
  return (
    typeof module === 'object' &&
    module !== null &&
    ['DefaultRequestSigner', 'EndpointBuilder', 'composeRequest'].every((name) => name in module)
  )
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
  )
}

/** Reads the keys, or requests them from the machine. Throws an AnycallError that names the fault in them. */
export async function openOciSession(upstream: string, auth: OciAuth): Promise<OciSession> {
  const common = await loadOciSdk(upstream)
  try {
    const provider = await createProvider(common, auth)
    return { common, provider, signer: new common.DefaultRequestSigner(provider), hasWorked: false }
  } catch (error) {
    throw authError(upstream, auth, error)
  }
}

async function createProvider(common: OciCommon, auth: OciAuth): Promise<AuthenticationDetailsProvider> {
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
 * Returns the instance's identity from its metadata service. Unlike Oracle's other SDKs, this one does not read the
 * variables for the address of that service (OCI_METADATA_BASE_URL) and of the token service
 * (OCI_SDK_AUTH_CLIENT_REGION_URL).
 */
function instancePrincipal(common: OciCommon): Promise<AuthenticationDetailsProvider> {
  const { OCI_METADATA_BASE_URL: metadataUrl, OCI_SDK_AUTH_CLIENT_REGION_URL: tokenUrl } = process.env
  class Builder extends common.InstancePrincipalsAuthenticationDetailsProviderBuilder {
    protected override async autoDetectEndpointUsingMetadataUrl(): Promise<string> {
      // Also finds the region, which is needed with any token service.
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

/** Returns the error for keys that cannot be read or used. The SDK throws errors, strings, and objects with a message. */
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
