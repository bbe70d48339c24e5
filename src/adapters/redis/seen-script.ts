/**
 * Check-and-add of many keys in one arc's filter, inside Redis: a script runs alone, so of two
 * askers with one key one is told 'new' (S4). Plain strings as bitmaps; no modules.
 *
 *   KEYS  the arc's state (a hash), then its generations' bitmaps, the oldest first
 *   ARGV  token, mode, probes of all keys, probes per key;
 *         of each generation: capacity, bytes, probes;
 *         of each key, of each generation: first and last byte of its block
 *
 * Offsets come as text because Redis makes text of a Lua number slowly: half of a call's time.
 * A probe is two bytes: which byte of the block, from 1, and the bit in it.
 *
 * What makes 'new' trustworthy: the state says in which run of the server it was written. After
 * a restart, a flush, a failover or an eviction it does not fit any more, and the filter calls
 * itself incomplete, under a new birth token, until somebody seals a rebuild with that token.
 *
 *   mode ''       as above
 *   mode 'begin'  a filter that is not there begins complete: the store knows nothing either
 *   mode 'torn'   the asker knows of keys that never arrived
 *
 * Answers: birth, complete, generations, keys, keys in the newest, then '0' or '1' for each key
 * done: fewer than asked, or none, when a generation is needed that was not given.
 */
export const CHECK_AND_ADD = `
local call, byte, band, bor, char = redis.call, string.byte, bit.band, bit.bor, string.char
local unpack, state, given = unpack, KEYS[1], #KEYS - 1
local token, mode, probes, per = ARGV[1], ARGV[2], ARGV[3], 2 * tonumber(ARGV[4])
local capacity, bytes, asked = {}, {}, {}
for g = 1, given do
  capacity[g], bytes[g] = tonumber(ARGV[2 + g * 3]), tonumber(ARGV[3 + g * 3])
  asked[g] = 2 * tonumber(ARGV[4 + g * 3])
end

local function open(g)
  call('DEL', KEYS[g + 1])
  call('SETRANGE', KEYS[g + 1], bytes[g] - 1, '\\0')
end

local run = string.match(call('INFO', 'server'), 'run_id:(%w+)')
local was = call('HMGET', state, 'run', 'birth', 'complete', 'gens', 'keys', 'newest')
local birth, complete = was[2], was[3]
local gens, keys, newest = tonumber(was[4]), tonumber(was[5]), tonumber(was[6])
local isThere = was[1] ~= false
for g = 1, math.min(gens or 0, given) do
  if call('STRLEN', KEYS[g + 1]) ~= bytes[g] then isThere = false end
end
if not isThere then
  gens, keys, newest = 1, 0, 0
  complete = (was[1] == false and mode == 'begin') and '1' or '0'
  birth = token
  open(1)
elseif was[1] ~= run or mode == 'torn' then
  birth, complete = token, '0'
end

local answers, count = {}, gens > given and 0 or #probes / per
local place = 4 + given * 3
for i = 0, count - 1 do
  if newest >= capacity[gens] then
    if gens == given then break end
    gens, newest = gens + 1, 0
    open(gens)
  end
  local at, probe = place + i * given * 2, { byte(probes, i * per + 1, i * per + per) }
  local isNew, block = true, nil
  for g = 1, gens do
    block = call('GETRANGE', KEYS[g + 1], ARGV[at + g * 2 - 1], ARGV[at + g * 2])
    local isSet = true
    for p = 1, asked[g], 2 do
      if band(byte(block, probe[p]), probe[p + 1]) == 0 then
        isSet = false
        break
      end
    end
    if isSet then
      isNew = false
      break
    end
  end
  if isNew then
    local cells = { byte(block, 1, 64) }
    for p = 1, asked[gens], 2 do
      local cell = probe[p]
      cells[cell] = bor(cells[cell], probe[p + 1])
    end
    call('SETRANGE', KEYS[gens + 1], ARGV[at + gens * 2 - 1], char(unpack(cells)))
    keys, newest = keys + 1, newest + 1
  end
  answers[i + 1] = isNew and '0' or '1'
end
if not isThere or keys > tonumber(was[5]) or was[1] ~= run or was[2] ~= birth then
  call('HSET', state, 'run', run, 'birth', birth, 'complete', complete,
    'gens', gens, 'keys', keys, 'newest', newest)
end
return { birth, tonumber(complete), gens, keys, newest, table.concat(answers) }
`;

/** A rebuild has ended: complete, if nothing was lost since it began. KEYS state; ARGV birth. */
export const SEAL = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local was = redis.call('HMGET', KEYS[1], 'run', 'birth')
if was[1] ~= run or was[2] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'complete', '1')
return 1
`;

/** Bits that are set in blocks. KEYS bitmaps; ARGV blocks of each, then first and last bytes. */
export const COUNT_BITS = `
local counts, each, at = {}, tonumber(ARGV[1]), 2
for g = 1, #KEYS do
  for i = 1, each do
    counts[#counts + 1] = redis.call('BITCOUNT', KEYS[g], ARGV[at], ARGV[at + 1])
    at = at + 2
  end
end
return counts
`;
