import { mostDebtMinutes } from './counter.ts'

// Programs that run in the server, so that gateways which count at the same time share one count. Time is the server's.
//
// Both keys have the same hash tag, for servers that spread keys over several nodes:
//   {anycall:limits:NAME}           hash of `requests` and `tokens` (what may still be used) and `at` (of when, in milliseconds)
//   {anycall:limits:NAME}:running   sorted set of requests by the time until which each is taken to run, in milliseconds

/** Returns the keys of a holder's counts. */
export function limitKeys(name: string): string[] {
  const key = `{anycall:limits:${name}}`
  return [key, `${key}:running`]
}

/** Reads the levels as they are now. Arguments 1 and 2: requests and tokens a minute; 0 for no limit. */
const shared = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local perMinute = { requests = tonumber(ARGV[1]), tokens = tonumber(ARGV[2]) }
local at = tonumber(redis.call('HGET', KEYS[1], 'at') or now)
-- A clock that was set back adds nothing.
local elapsed = math.max(0, now - at)
local function level(name)
  local most = perMinute[name]
  local before = tonumber(redis.call('HGET', KEYS[1], name) or most)
  return math.min(most, before + elapsed * most / 60000)
end
local requests, tokens = level('requests'), level('tokens')
local function keep()
  redis.call('HSET', KEYS[1], 'requests', requests, 'tokens', tokens, 'at', now)
  redis.call('PEXPIRE', KEYS[1], ${(mostDebtMinutes + 2) * 60_000})
end
local function untilOne(held, most)
  return math.ceil((1 - held) * 60000 / most)
end
`

/**
 * Takes a request into account. Arguments 3 to 5: the most that may run at once (0 for no limit), the request's id, and the milliseconds
 * for which it may run. Returns the place of the limit that refuses it (0 for none), and the milliseconds to wait.
 */
export const takeScript: string = `${shared}
local most, request, ms = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
if perMinute.requests > 0 and requests < 1 then return { 1, untilOne(requests, perMinute.requests) } end
if perMinute.tokens > 0 and tokens < 1 then return { 2, untilOne(tokens, perMinute.tokens) } end
if most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= most then return { 3, 1000 } end
  redis.call('ZADD', KEYS[2], now + ms, request)
  redis.call('PEXPIRE', KEYS[2], ms)
end
if perMinute.requests > 0 then requests = requests - 1 end
keep()
return { 0, 0 }
`

/** Counts the tokens of a request that has ended. Arguments 3 and 4: the request's id and the tokens. */
export const endScript: string = `${shared}
redis.call('ZREM', KEYS[2], ARGV[3])
if perMinute.tokens > 0 then
  tokens = math.max(tokens - tonumber(ARGV[4]), -${mostDebtMinutes} * perMinute.tokens)
  keep()
end
return 1
`
