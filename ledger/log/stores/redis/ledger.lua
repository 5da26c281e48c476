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

-- Whether a stream takes the next id. One to which somebody else has added something later does not.
local function takes(key, id)
  local rows = redis.pcall('XRANGE', key, id, '+', 'COUNT', 1)
  return not rows.err and not rows[1]
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

-- Whether a batch has openings.
local function opens(args)
  for place = 10, #args, 2 do
    if args[place] ~= '' then return true end
  end
  return false
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
  if not ends_at(keys[1], version) then return { 'DAMAGED', 'events' } end
  if not takes(keys[7], '1-0') then return { 'DAMAGED', 'feed' } end
  if opens(args) and not takes(keys[4], string.format('%d-1', version)) then
    return { 'DAMAGED', 'openings' }
  end
  local entry
  for place = 9, #args, 2 do
    entry, version = args[place], version + 1
    local id = string.format('%d-0', version)
    if redis.pcall('XADD', keys[1], id, 'e', entry).err then return { 'DAMAGED', 'events' } end
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
  -- The feed first: it is the one that may refuse, if somebody has tampered with it.
  redis.call('XADD', keys[2], '0-*', 'e', args[1] .. '/kept ' .. args[2])
  redis.call('HSET', keys[1], args[2], args[3])
  return { 'KEPT' }
end

-- Whether entries were deleted from a stream: their ids would not be taken again.
local function has_lost(key)
  if redis.call('EXISTS', key) == 0 then return false end
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  local info = redis.call('XINFO', 'STREAM', key)
  for place = 1, #info, 2 do
    local name, value = info[place], info[place + 1]
    if name == 'max-deleted-entry-id' and value ~= '0-0' then return true end
    if name == 'last-generated-id' and value ~= (last and last[1] or '0-0') then return true end
  end
  return false
end

-- Makes such a stream anew from the entries that are there.
local function mend(key)
  if not has_lost(key) then return end
  local rows = redis.call('XRANGE', key, '-', '+')
  redis.call('DEL', key)
  for _, row in ipairs(rows) do redis.call('XADD', key, row[1], row[2][1], row[2][2]) end
end

-- How many of some entries a stream holds, from the first of them on; nil and why where it holds
-- others under their ids, or goes on without them.
local function lacking(key, ids, values)
  local rows = {}
  if ids[1] then rows = redis.call('XRANGE', key, ids[1], ids[#ids]) end
  for place, row in ipairs(rows) do
    if row[1] ~= ids[place] or row[2][2] ~= values[place] then return nil, 'DIFFERS' end
  end
  if #rows < #ids then
    local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
    local major, minor, to_major, to_minor = 0, 0, string.match(ids[#rows + 1], '^(%d+)-(%d+)$')
    if last then major, minor = string.match(last[1], '^(%d+)-(%d+)$') end
    major, minor, to_major, to_minor =
      tonumber(major), tonumber(minor), tonumber(to_major), tonumber(to_minor)
    if major > to_major or (major == to_major and minor >= to_minor) then return nil, 'HOLE' end
  end
  return #rows
end

-- The feed, and whether the entry is there already.
local function feed_lacks(key, position, value)
  local there, why = lacking(key, { '0-' .. position }, { value })
  if not there then return nil, why end
  if there == 0 then
    local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
    if (last and last[1] or '0-0') ~= string.format('0-%d', tonumber(position) - 1) then
      return nil, 'GAP'
    end
  end
  return 1 - there
end

local function add_to_feed(key, position, value)
  mend(key)
  redis.call('XADD', key, '0-' .. position, 'e', value)
end

-- Writes a batch again that was written before, under the ids that it had; what is there stays.
-- keys: events, head, commands, openings, parked, matches, feed
-- args: name, position in the feed, feed entry, first version, head before, head after, then each
--       entry followed by its openings ('' where there are none)
local function ship(keys, args)
  local status, version, head = tip_of(keys[2])
  local first, ids, entries, open_ids, openings = tonumber(args[4]), {}, {}, {}, {}
  for place = 7, #args, 2 do
    local id = string.format('%d-0', first + #ids)
    ids[#ids + 1], entries[#entries + 1] = id, args[place]
    if args[place + 1] ~= '' then
      open_ids[#open_ids + 1], openings[#openings + 1] = id, args[place + 1]
    end
  end
  local last = first + #ids - 1
  local to_feed, why = feed_lacks(keys[7], args[2], args[3])
  if not to_feed then return { why, 'feed' } end
  local there, opened
  there, why = lacking(keys[1], ids, entries)
  if not there then return { why, 'events' } end
  if there < #ids and not ends_at(keys[1], first - 1 + there) then return { 'GAP', 'events' } end
  opened, why = lacking(keys[4], open_ids, openings)
  if not opened then return { why, 'openings' } end
  if (version == first - 1 and head ~= args[5]) or (version == last and head ~= args[6]) then
    return { 'DIFFERS', 'head' }
  end
  local command, known_as = '', false
  local flags = string.byte(entries[1])
  if has(flags, 2) then
    local place = has(flags, 1) and 34 or 2
    command = string.sub(entries[1], place, place + 11)
    known_as = redis.call('HGET', keys[3], command)
    if known_as and known_as ~= args[4] then return { 'DIFFERS', 'commands' } end
  end
  local new = to_feed == 1 or there < #ids or opened < #open_ids or version < last
  if there < #ids then mend(keys[1]) end
  for place = there + 1, #ids do redis.call('XADD', keys[1], ids[place], 'e', entries[place]) end
  if opened < #open_ids then mend(keys[4]) end
  for place = opened + 1, #open_ids do
    redis.call('XADD', keys[4], open_ids[place], 'o', openings[place])
  end
  if version < last then
    local mark = has(string.byte(entries[#entries]), 4) and 'c' or 'o'
    redis.call('SET', keys[2], mark .. string.format('%d', last) .. ':' .. args[6])
  end
  if command ~= '' and not known_as then
    new = true
    redis.call('HSET', keys[3], command, args[4])
  end
  if first == 1 and not string.find(args[1], '/', 1, true) then
    if redis.call('SADD', keys[6], args[1]) == 1 then new = true end
  end
  if to_feed == 1 then add_to_feed(keys[7], args[2], args[3]) end
  return { new and 'SHIPPED' or 'THERE' }
end

-- keys: kept, feed
-- args: position in the feed, feed entry, field, value
local function ship_kept(keys, args)
  local to_feed, why = feed_lacks(keys[2], args[1], args[2])
  if not to_feed then return { why, 'feed' } end
  local before = redis.call('HGET', keys[1], args[3])
  if before and before ~= args[4] then return { 'DIFFERS', 'kept' } end
  if not before then redis.call('HSET', keys[1], args[3], args[4]) end
  if to_feed == 1 then add_to_feed(keys[2], args[1], args[2]) end
  return { (to_feed == 1 or not before) and 'SHIPPED' or 'THERE' }
end

-- keys: parked, the set of the shard's parked matches
-- args: name, notice; without a notice it is parked no more
local function park(keys, args)
  if args[2] then
    redis.call('SET', keys[1], args[2])
    redis.call('SADD', keys[2], args[1])
  else
    redis.call('DEL', keys[1])
    redis.call('SREM', keys[2], args[1])
  end
  return { args[2] and 'PARKED' or 'UNPARKED' }
end

redis.register_function('hegemon_1_append', append)
redis.register_function('hegemon_1_park', park)
redis.register_function('hegemon_1_keep', keep)
redis.register_function('hegemon_1_ship', ship)
redis.register_function('hegemon_1_ship_kept', ship_kept)
