// Programs that run in the server, so that gateways which keep and forget at the same time count the same bytes.
//
// All keys have the same hash tag, for servers that spread keys over several nodes:
//   {anycall}:responses                      sorted set of OWNER:ID by the time until which each is kept, in milliseconds
//   {anycall}:responses:sizes                hash from OWNER:ID to bytes
//   {anycall}:responses:bytes                the sum of the sizes
//   {anycall}:response:OWNER:ID              hash of `response`, `input` and `items` (JSON texts; the ids of the items)
//   {anycall}:item:OWNER:ITEM                an item of the output, as JSON

const prefix = '{anycall}:'

/** The keys that the scripts count with. */
export const countKeys: readonly string[] = [
  `${prefix}responses`,
  `${prefix}responses:sizes`,
  `${prefix}responses:bytes`,
]

/** Returns the key of a response. */
export function responseKey(owner: string, id: string): string {
  return `${prefix}response:${owner}:${id}`
}

/** Returns the key of an item. */
export function itemKey(owner: string, itemId: string): string {
  return `${prefix}item:${owner}:${itemId}`
}

const shared = `
local times, sizes, bytes = KEYS[1], KEYS[2], KEYS[3]
local function forget(member)
  local key = '${prefix}response:' .. member
  local owner = string.match(member, '^([^:]*):')
  local items = redis.call('HGET', key, 'items')
  if items then
    for item in string.gmatch(items, '%S+') do redis.call('DEL', '${prefix}item:' .. owner .. ':' .. item) end
  end
  local size = redis.call('HGET', sizes, member)
  if size then
    redis.call('DECRBY', bytes, size)
    redis.call('HDEL', sizes, member)
  end
  redis.call('ZREM', times, member)
  return redis.call('DEL', key)
end
`

/** Deletes a response. Arguments: OWNER:ID. Returns 1 if it was there. */
export const deleteScript: string = `${shared}
return forget(ARGV[1])
`

/**
 * Keeps a response, and forgets those whose time is over and then the oldest until all together are small enough. Arguments: OWNER:ID,
 * milliseconds, most bytes, the response, its input, then an id and a JSON text for each item. Returns 1 if the response was kept, 0 if it
 * alone is too large. One run forgets 2000 at most; the next one continues.
 */
export const keepScript: string = `${shared}
local member, ms, most, response, input = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
forget(member)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', times, '-inf', now, 'LIMIT', 0, 1000)) do forget(old) end
local size = #response + #input + 500
local ids = {}
for i = 6, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
  size = size + #ARGV[i + 1] + 100
end
if size > most then return 0 end
for _ = 1, 1000 do
  if tonumber(redis.call('GET', bytes) or '0') + size <= most then break end
  local oldest = redis.call('ZRANGE', times, 0, 0)[1]
  if not oldest then redis.call('DEL', bytes) break end
  forget(oldest)
end
local owner = string.match(member, '^([^:]*):')
local key = '${prefix}response:' .. member
redis.call('HSET', key, 'response', response, 'input', input, 'items', table.concat(ids, ' '))
redis.call('PEXPIRE', key, ms)
for i = 6, #ARGV, 2 do redis.call('SET', '${prefix}item:' .. owner .. ':' .. ARGV[i], ARGV[i + 1], 'PX', ms) end
redis.call('ZADD', times, now + ms, member)
redis.call('HSET', sizes, member, size)
redis.call('INCRBY', bytes, size)
return 1
`
