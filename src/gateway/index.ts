export type {
  Abilities,
  CallPiece,
  ChatMessage,
  Constraint,
  GenerationContext,
  GenerationRequest,
  HttpRequest,
  HttpResponse,
  HttpTimeouts,
  HttpTransport,
  Log,
  MessagesRequest,
  ModelsQuery,
  PromptRequest,
  ToolsRequest,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from '../upstreams/index.ts'
export { createDefaultTransport as createNodeTransport, createFetchTransport } from '../upstreams/index.ts'
export {
  type ConfigContext,
  ConfigError,
  type ConfigInput,
  type ConfigProblem,
  type Environment,
  type GatewayConfig,
  type KeyConfig,
  type KeyLimits,
  type LogLevel,
  logLevels,
  type ModelRule,
  type ModelRuleInput,
  type OciAuthConfig,
  type OciGenerativeAiConfig,
  parseConfig,
  planNames,
  type UpstreamConfig,
  type UpstreamInput,
  type UpstreamShareInput,
} from './config/config.ts'
export { createUpstreams, type UpstreamsOptions } from './config/create/upstreams.ts'
export { loadConfigFile, parseConfigText } from './config/file.ts'
export { configJsonSchema } from './config/json-schema.ts'
export { dialectName } from './config/schema/own-objects.ts'
export { closest } from './config/schema/suggest.ts'
export { typesWithUrl } from './config/schema/upstreams.ts'
export { createGateway, type Gateway } from './gateway.ts'
export { isLoopback } from './http/access/access.ts'
export type { EventStreamBody, GatewayRequest, GatewayResponse } from './http/http.ts'
export { type MeasuredMetrics, sumMetrics } from './metrics/index.ts'
export { createNodeGateway, createNodeUpstreams } from './node/create.ts'
export { type NodeHandler, toNodeHandler } from './node/handler.ts'
export { readPage } from './node/page.ts'
export { type ListenOptions, listen, type RunningServer } from './node/server.ts'
export type { ConfiguredGateway, GatewayOptions, GatewaySettings } from './options.ts'
export { templated } from './plans/templated.ts'
export { redactionOf } from './records.ts'
export { faultsOf } from './reply/check-call.ts'
export { PlanChooser } from './serve/choose-plan.ts'
export { planConfigError, replyDialects, resolvePlan, supports, unsupportedReason } from './serve/plan-fit.ts'
export { unreachableRules } from './serve/unreachable-rules.ts'
