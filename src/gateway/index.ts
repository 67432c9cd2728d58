export type { HttpRequest, HttpResponse, HttpTimeouts, HttpTransport } from '../upstreams/index.ts'
export { createFetchTransport } from '../upstreams/index.ts'
export {
  type ConfigContext,
  ConfigError,
  type Environment,
  type GatewayConfig,
  type LogLevel,
  logLevels,
  type ModelRule,
  type OciAuthConfig,
  type OciGenerativeAiConfig,
  parseConfig,
  planNames,
  type UpstreamConfig,
} from './config/config.ts'
export { createUpstreams, type UpstreamsOptions } from './config/create-upstreams.ts'
export { loadConfigFile } from './config/file.ts'
export { closest } from './config/suggest.ts'
export { typesWithUrl } from './config/upstreams.ts'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
export type { EventStreamBody, GatewayRequest, GatewayResponse } from './http/http.ts'
export { type ListenOptions, listen, type RunningServer } from './node/server.ts'
export { templated } from './plans/templated.ts'
export { faultsOf } from './reply/check-call.ts'
export { PlanChooser } from './serve/choose-plan.ts'
export { planConfigError, resolvePlan, supports, unsupportedReason } from './serve/plan-fit.ts'
export { refusesTools } from './serve/tool-refusals.ts'
