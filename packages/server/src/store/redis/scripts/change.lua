-- Shared by all scripts that write, which begin with this text: what they are given first, and the traces that every
-- change leaves behind, its entry in the log and its answer.
-- KEYS 1 heads  2 bodies  3 lists  4 numbers of the partition
--      5 due  6 log  7 partitions  8 queues of the shard  9 answers of a minute  10 logged  11 groups of the partition
-- ARGV 1 partition  2 id of the change  3 log kept ms  4 answers kept s

local heads, bodies, lists, numbers, due, log, partitions, queues, answers, logged, groups = unpack(KEYS)
local partition, id, logKeptMs, answerKeptS = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

-- Finding out what is too old costs as much as adding an entry: the log may be this many longer than its age allows.
local trimmedEvery = 100

-- Plain finds, because a pattern costs a call for every character it passes.
local find, sub = string.find, string.sub

local function announce(revision, sequence, subjects, events)
  local number = redis.call('INCR', logged)
  redis.call('XADD', log, '*', 'p', partition, 'r', revision, 's', sequence, 'k', subjects, 'e', events, 'n', number)
  if number % trimmedEvery ~= 0 then return end
  local oldest = tonumber(redis.call('TIME')[1]) * 1000 - logKeptMs
  redis.call('XTRIM', log, 'MINID', '~', string.format('%d', oldest))
end

local function answer(text)
  redis.call('HSET', answers, id, text)
  redis.call('EXPIRE', answers, answerKeptS)
end

-- What became of the change if it was applied before.
local function answeredBefore()
  local before = redis.call('HGET', answers, id)
  if not before then return nil end
  local space = find(before, ' ', 1, true)
  return { 'committed', sub(before, 1, space - 1), sub(before, space + 1) }
end
