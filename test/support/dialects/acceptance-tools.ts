import type { Tool } from '../../../src/conversation/index.ts'
import { tool } from './acceptance-case.ts'

/** Tools that many cases offer. */
export const weather: Tool = tool('get_weather', { 'city!': 'string' })
export const clock: Tool = tool('get_time', { tz: 'string' })
export const now: Tool = tool('get_current_time')
export const run: Tool = tool('run', { 'command!': 'string' })
export const write: Tool = tool('write', { path: 'string', content: 'string' })
export const forecast: Tool = tool('forecast', { 'city!': 'string', days: 'integer', hourly: 'boolean' })
