import { tool } from './case.ts'

/** Tools that many cases offer. */
export const weather = tool('get_weather', { 'city!': 'string' })
export const clock = tool('get_time', { tz: 'string' })
export const now = tool('get_current_time')
export const run = tool('run', { 'command!': 'string' })
export const write = tool('write', { path: 'string', content: 'string' })
export const forecast = tool('forecast', { 'city!': 'string', days: 'integer', hourly: 'boolean' })
