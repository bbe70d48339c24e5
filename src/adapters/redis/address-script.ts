/**
 * Turns at addresses, inside Redis: a script runs alone, so of all who claim an address one has it
 * (P4). Time is that of the server: everything is a key that ends by itself.
 *
 *   turn   'h NODE N' while claim N of a node holds it, 'r NODE' while it rests after that node
 *   next   the node that was told to wait, until it should have come back
 *   run    in which run of the server the others were written: after a restart, a flush or a
 *          failover it does not fit, and `blank` is there for as long as requests of which
 *          nobody knows any more may still go out
 *
 * They share a {tag}: addresses are dealt out to a few dozen of them.
 */

/**
 * Is the memory whole? KEYS run, blank; ARGV how long it is blank otherwise, 'begin' where nothing
 * can have been forgotten. Answers how long it still is.
 */
const WHOLE = `
local function blankFor(run, blank, ms, mode)
  local now = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  local was = redis.call('GET', run)
  if was ~= now then
    redis.call('SET', run, now)
    if was or mode ~= 'begin' then redis.call('SET', blank, '', 'PX', ms) end
  end
  return math.max(0, redis.call('PTTL', blank))
end
`;

export const LOOK = `${WHOLE}
return blankFor(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
`;

/**
 * KEYS turn, next, run, blank; ARGV node, number of the claim, how long it holds, the pause, for
 * how long who waited is waited for, how long a blank lasts. Answers 0 when the turn is ours, how
 * long to wait, or how long the memory is blank, as a negative number.
 */
export const CLAIM = `${WHOLE}
local turn, next = KEYS[1], KEYS[2]
local node, number, hold = ARGV[1], ARGV[2], ARGV[3]
local pause, back = tonumber(ARGV[4]), tonumber(ARGV[5])
local blank = blankFor(KEYS[3], KEYS[4], ARGV[6], '')
if blank > 0 then return -blank end
local kept, waits = redis.call('GET', turn), redis.call('GET', next)
local isOurs = not waits or waits == node
if not kept or kept == 'r ' .. node then
  if not isOurs then return math.max(1, redis.call('PTTL', next)) end
  if waits then redis.call('DEL', next) end
  redis.call('SET', turn, 'h ' .. node .. ' ' .. number, 'PX', hold)
  return 0
end
local wait = math.max(1, redis.call('PTTL', turn))
if string.sub(kept, 1, 1) == 'h' then wait = math.min(wait, pause) end
if isOurs then redis.call('SET', next, node, 'PX', wait + back) end
return wait
`;

/** KEYS turn; ARGV node, number of the claim, how long it rests, and after whom. */
export const REST = `
local kept = redis.call('GET', KEYS[1])
if kept and kept ~= 'h ' .. ARGV[1] .. ' ' .. ARGV[2] then return 0 end
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[1], 'r ' .. ARGV[4], 'PX', ARGV[3])
elseif kept then redis.call('DEL', KEYS[1]) end
return 1
`;
