export { traceRequest } from './exchange-trace.ts'
