/**
 * What is due in one arc, inside Redis: three sorted sets, one a tier, with url keys for members and
 * instants for scores. A script runs alone, so what its owner notes is there before it is asked.
 *
 *   KEYS  the arc's state (a hash), then the sets of tiers 1, 2 and 3
 *   state run     in which run of the server it was written: after a restart or a failover it
 *                 does not fit, and neither does `count` when a set was evicted
 *         owner   who may change it      seq   of the last change, so that none comes too late
 *         loss    since when it is what it is     whole   1 when nothing is missing
 *         left    1 when its owner had told all, and went; epoch   of its tenure
 *
 * Members and tiers come packed, instants as text: Redis makes text of a Lua number slowly.
 */
const STATE = `
local call, sub = redis.call, string.sub
local state, sets, bytes = KEYS[1], { KEYS[2], KEYS[3], KEYS[4] }, 24
local function size()
  return call('ZCARD', sets[1]) + call('ZCARD', sets[2]) + call('ZCARD', sets[3])
end
local run = string.match(call('INFO', 'server'), 'run_id:(%w+)')
local was = call('HMGET', state, 'run', 'owner', 'loss', 'whole', 'left', 'count', 'seq', 'epoch')
local isThere = was[1] == run and tonumber(was[6]) == size()
`;

/**
 * ARGV owner, seq, epoch, mode, name of a new loss; members of changes, their tiers ('0' none, '4' as it
 * is), their instants; from, until and how many to read, '0' to read nothing.
 *
 *   mode 'take'   from whoever had it: as it was left by the tenure right before, or lost
 *        'torn'   not all that changed is known any more: lost
 *        'left'   the last word of its owner
 *
 * Answers 0, or 1 when the arc is another's or newer than this; its loss, '1' when it is whole, and, packed as above,
 * members and instants, earliest first.
 */
export const SYNC = `${STATE}
local owner, seq, epoch, mode = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local members, tiers, loss, whole = ARGV[6], ARGV[7], was[3], was[4]
local isTaking = mode == 'take' or mode == 'torn'
local isLate = was[2] == owner and #tiers > 0 and seq <= tonumber(was[7])
if isThere and not isTaking and (was[2] ~= owner or isLate) then return { 1, '', '0', '', '' } end
local isKept = isThere and mode ~= 'torn'
if mode == 'take' then
  isKept = isKept and was[5] == '1' and whole == '1' and tonumber(was[8]) == epoch - 1
end
if not isKept then
  call('UNLINK', sets[1], sets[2], sets[3])
  loss, whole = ARGV[5], '0'
end
if #tiers > 0 then
  local adds, gone, n = { {}, {}, {} }, { {}, {}, {} }, 0
  for at in string.gmatch(ARGV[8], '%S+') do
    n = n + 1
    local member, tier = sub(members, n * bytes - bytes + 1, n * bytes), tonumber(sub(tiers, n, n))
    if tier == 4 then
      tier = (call('ZSCORE', sets[1], member) and 1) or (call('ZSCORE', sets[2], member) and 2) or 3
    end
    for one = 1, 3 do
      if one ~= tier then gone[one][#gone[one] + 1] = member end
    end
    if tier > 0 then
      local add = adds[tier]
      add[#add + 1] = at
      add[#add + 1] = member
    end
  end
  -- A server that is full refuses what adds, and lets a script go on that has written already.
  for tier = 1, 3 do
    if #adds[tier] > 0 then call('ZADD', sets[tier], unpack(adds[tier])) end
  end
  for tier = 1, 3 do
    if #gone[tier] > 0 then call('ZREM', sets[tier], unpack(gone[tier])) end
  end
end
if not isKept or isTaking or mode == 'left' or #tiers > 0 then
  call('HSET', state, 'run', run, 'owner', owner, 'loss', loss, 'whole', whole,
    'left', mode == 'left' and '1' or '0', 'count', size(), 'seq', seq, 'epoch', epoch)
end
local limit = tonumber(ARGV[11])
if whole ~= '1' or limit == 0 then return { 0, loss, whole, '', '' } end
local found, at, first, keys, instants = {}, { 1, 1, 1 }, {}, {}, {}
for tier = 1, 3 do
  found[tier] = call('ZRANGEBYSCORE', sets[tier], ARGV[9], ARGV[10], 'WITHSCORES', 'LIMIT', 0, limit)
  first[tier] = tonumber(found[tier][2]) or math.huge
end
for row = 1, limit do
  local tier = first[1] <= first[2] and 1 or 2
  if first[3] < first[tier] then tier = 3 end
  if first[tier] == math.huge then break end
  local rows, place = found[tier], at[tier]
  keys[row], instants[row] = rows[place], rows[place + 1]
  at[tier], first[tier] = place + 2, tonumber(rows[place + 3]) or math.huge
end
return { 0, loss, whole, table.concat(keys), table.concat(instants, ' ') }
`;

/**
 * Rows of the store where the arc has none: what was noted since is newer. They go to the last tier;
 * the next visit knows better. ARGV owner, loss, '1' with the last of them, members, instants.
 */
export const FILL = `${STATE}
if not isThere or was[2] ~= ARGV[1] or was[3] ~= ARGV[2] then return 0 end
local adds, n = {}, 0
for at in string.gmatch(ARGV[5], '%S+') do
  n = n + 1
  local member = sub(ARGV[4], n * bytes - bytes + 1, n * bytes)
  if not call('ZSCORE', sets[1], member) and not call('ZSCORE', sets[2], member)
    and not call('ZSCORE', sets[3], member) then
    adds[#adds + 1] = at
    adds[#adds + 1] = member
  end
end
if #adds > 0 then call('ZADD', sets[3], unpack(adds)) end
call('HSET', state, 'count', size(), 'whole', ARGV[3])
return 1
`;
