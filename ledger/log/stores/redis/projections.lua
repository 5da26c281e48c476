#!lua name=hegemon_projections_1
-- What projectors share: who has a shard, how far it has come, and what came of it, in one step.

-- keys: lease, generation
-- args: owner, milliseconds
local function claim(keys, args)
  local holder = redis.call('GET', keys[1])
  if holder and holder ~= args[1] then return { 'TAKEN', holder } end
  redis.call('SET', keys[1], args[1], 'PX', args[2])
  local generation = redis.call('GET', keys[2])
  if holder and generation then return { 'KEPT', tonumber(generation) } end
  -- A server that has forgotten counts on from its clock, so that no number is given out again.
  if not generation then
    local now = redis.call('TIME')
    redis.call('SET', keys[2], string.format('%s%06d', now[1], now[2]))
  end
  return { 'CLAIMED', redis.call('INCR', keys[2]) }
end

-- keys: lease
-- args: owner
local function release(keys, args)
  if redis.call('GET', keys[1]) == args[1] then redis.call('DEL', keys[1]) end
  return { 'RELEASED' }
end

-- keys: generation, checkpoint, standings, then the snapshots of one match each
-- args: generation, position, a hash of what is there, how many standings, then match and
--       bytes of each, then name and bytes of each snapshot
local function project(keys, args)
  if redis.call('GET', keys[1]) ~= args[1] then return { 'FENCED' } end
  local place = 5
  for _ = 1, tonumber(args[4]) do
    redis.call('HSET', keys[3], args[place], args[place + 1])
    place = place + 2
  end
  for number = 4, #keys do
    redis.call('HSET', keys[number], args[place], args[place + 1])
    place = place + 2
  end
  redis.call('HSET', keys[2], 'position', args[2], 'mark', args[3])
  return { 'PROJECTED' }
end

redis.register_function('hegemon_projections_1_claim', claim)
redis.register_function('hegemon_projections_1_release', release)
redis.register_function('hegemon_projections_1_project', project)
