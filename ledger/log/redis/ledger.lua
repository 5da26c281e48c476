#!lua name=hegemon_1
-- What the server does in one step. All checks come before the first write, and no write can fail
-- after another: ids are explicit and the last entry has been looked at.

-- The head of a log: 'o' (open) or 'c' (closed), the version, ':', the 32 bytes of the last head.
local function tip_of(key)
  local text = redis.call('GET', key)
  if not text then return 'o', 0, string.rep('\0', 32) end
  local colon = string.find(text, ':', 2, true)
  return string.sub(text, 1, 1), tonumber(string.sub(text, 2, colon - 1)), string.sub(text, colon + 1)
end

-- Whether the stream ends where the head says. Ids say more than they seem to: an explicit id
-- alone would accept a gap, and a stream that was deleted would begin anew.
local function ends_at(key, version)
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not last then return version == 0 end
  return last[1] == string.format('%d-0', version)
end

-- flags of an entry: 1 head, 2 command, 4 closed, 8 more of the batch follows
local function has(flags, bit_value) return math.floor(flags / bit_value) % 2 == 1 end

-- What became of a command that was carried out before.
local function known(events, first, command, fingerprint)
  local rows = redis.call('XRANGE', events, first .. '-0', '+', 'COUNT', 32)
  if not rows[1] or rows[1][1] ~= first .. '-0' then return { 'DAMAGED', 'command' } end
  local entry = rows[1][2][2]
  local place = has(string.byte(entry), 1) and 34 or 2
  if not has(string.byte(entry), 2) or string.sub(entry, place, place + 11) ~= command then
    return { 'DAMAGED', 'command' }
  end
  if string.sub(entry, place + 12, place + 19) ~= fingerprint then return { 'CHANGED' } end
  local count = 1
  while rows[count] and has(string.byte(rows[count][2][2]), 8) do count = count + 1 end
  return { 'DUPLICATE', tonumber(first), count }
end

-- keys: events, head, commands, openings, parked, matches, feed
-- args: name, expected version, expected head, new head, rules ('d' a decision, 'a' even after the
--       close), command, fingerprint, how many events a conflict may show, then each entry
--       followed by its openings ('' where there are none)
local function append(keys, args)
  local status, version, head = tip_of(keys[2])
  if args[6] ~= '' then
    local first = redis.call('HGET', keys[3], args[6])
    if first then return known(keys[1], first, args[6], args[7]) end
  end
  if args[5] == 'd' then
    local notice = redis.call('GET', keys[5])
    if notice then return { 'PARKED', version, head, notice } end
  end
  if status == 'c' and args[5] ~= 'a' then return { 'CLOSED', version, head } end
  if version ~= tonumber(args[2]) or head ~= args[3] then
    local since = {}
    if version > tonumber(args[2]) then
      local from = string.format('%d-0', tonumber(args[2]) + 1)
      since = redis.call('XRANGE', keys[1], from, '+', 'COUNT', args[8])
    end
    return { 'CONFLICT', version, head, since }
  end
  if not ends_at(keys[1], version) then return { 'DAMAGED', 'end' } end
  local entry
  for place = 9, #args, 2 do
    entry, version = args[place], version + 1
    local id = string.format('%d-0', version)
    redis.call('XADD', keys[1], id, 'e', entry)
    if args[place + 1] ~= '' then redis.call('XADD', keys[4], id, 'o', args[place + 1]) end
  end
  local mark = has(string.byte(entry), 4) and 'c' or 'o'
  redis.call('SET', keys[2], mark .. string.format('%d', version) .. ':' .. args[4])
  if args[6] ~= '' then
    redis.call('HSET', keys[3], args[6], string.format('%d', tonumber(args[2]) + 1))
  end
  if args[2] == '0' and not string.find(args[1], '/', 1, true) then
    redis.call('SADD', keys[6], args[1])
  end
  redis.call('XADD', keys[7], '0-*', 'e', args[1] .. ' ' .. string.format('%d', version))
  return { 'APPENDED', version }
end

-- keys: kept, feed
-- args: name, field, value
local function keep(keys, args)
  local before = redis.call('HGET', keys[1], args[2])
  if before then return { before == args[3] and 'KEPT' or 'DIFFERS' } end
  redis.call('HSET', keys[1], args[2], args[3])
  redis.call('XADD', keys[2], '0-*', 'e', args[1] .. '/kept ' .. args[2])
  return { 'KEPT' }
end

redis.register_function('hegemon_1_append', append)
redis.register_function('hegemon_1_keep', keep)
