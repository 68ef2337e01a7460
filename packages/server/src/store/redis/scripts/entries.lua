-- Shared by commit.lua and claim.lua, which begin with this text. Collects what happens to the entries of records and
-- writes it in few large calls. A row is: version, dueAt, queue, score, lists, attempt, head; one line each, so that
-- a row can be taken apart without decoding any JSON. In `lists`, `-name` is a list and `*name` a wide one.
-- A row's places (dueAt to lists) are short and stand first: nothing here scans the texts behind them.
-- KEYS 1 heads  2 bodies  3 lists  4 numbers of the partition
--      5 due  6 log  7 partitions  8 queues of the shard  9 answers of a minute  10 logged

local heads, bodies, lists, numbers, due, log, partitions, queues, answers, logged = unpack(KEYS)
local partition, id, logKeptMs, answerKeptS = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

-- Scores are texts on purpose: Redis formats a Lua number with seventeen digits before it reads it again.
local entered, left = {}, {}
local dueAts, notDue, depths = {}, {}, {}

-- unpack is limited by Lua's stack; pairs stay together because the step is even.
local function callMany(command, key, args)
  for first = 1, #args, 4000 do
    redis.call(command, key, unpack(args, first, math.min(first + 3999, #args)))
  end
end

local function getMany(hash, keys)
  local values = {}
  for first = 1, #keys, 4000 do
    local found = redis.call('HMGET', hash, unpack(keys, first, math.min(first + 3999, #keys)))
    for i = 1, #found do values[first + i - 1] = found[i] end
  end
  return values
end

-- Plain finds, because a pattern costs a call for every character it passes.
local find, sub = string.find, string.sub

-- dueAt, queue, score and lists of a row, and where its attempt begins.
local function places(row)
  local a = find(row, '\n', 1, true)
  local b = find(row, '\n', a + 1, true)
  local c = find(row, '\n', b + 1, true)
  local d = find(row, '\n', c + 1, true)
  local e = find(row, '\n', d + 1, true)
  return sub(row, a + 1, b - 1), sub(row, b + 1, c - 1), sub(row, c + 1, d - 1), sub(row, d + 1, e - 1), e + 1
end

local function versionOf(row)
  return sub(row, 1, find(row, '\n', 1, true) - 1)
end

local function splitByTab(text)
  local parts, first = {}, 1
  if text == '' then return parts end
  while true do
    local tab = find(text, '\t', first, true)
    parts[#parts + 1] = sub(text, first, (tab or 0) - 1)
    if not tab then return parts end
    first = tab + 1
  end
end

-- The names in `new` that are not in `old`. The records of one change mostly stand in the same lists, so each pair of
-- texts is compared once.
local compared = {}
local function namesOnlyIn(new, old)
  local known = compared[new] and compared[new][old]
  if known then return known end
  local had, names = {}, {}
  for _, name in ipairs(splitByTab(old)) do had[name] = true end
  for _, name in ipairs(splitByTab(new)) do
    if not had[name] then names[#names + 1] = name .. '\t' end
  end
  compared[new] = compared[new] or {}
  compared[new][old] = names
  return names
end

local function moveLists(key, old, new)
  if old == new then return end
  for _, name in ipairs(namesOnlyIn(new, old)) do
    entered[#entered + 1] = '0'
    entered[#entered + 1] = name .. key
  end
  for _, name in ipairs(namesOnlyIn(old, new)) do left[#left + 1] = name .. key end
end

local function moveDue(key, old, new)
  if old == new then return end
  local member = partition .. '\t' .. key
  if new == '' then
    notDue[#notDue + 1] = member
  else
    dueAts[#dueAts + 1] = new
    dueAts[#dueAts + 1] = member
  end
end

local function moveQueue(key, oldQueue, oldScore, newQueue, newScore)
  if oldQueue == newQueue and oldScore == newScore then return end
  if oldQueue ~= '' then
    left[#left + 1] = 'q' .. oldQueue .. '\t' .. oldScore .. key
    depths[oldQueue] = (depths[oldQueue] or 0) - 1
  end
  if newQueue ~= '' then
    entered[#entered + 1] = '0'
    entered[#entered + 1] = 'q' .. newQueue .. '\t' .. newScore .. key
    depths[newQueue] = (depths[newQueue] or 0) + 1
  end
end

-- Everything that follows when a row (false where there was none) gets other places; '' is no place.
local function movePlaces(key, row, dueAt, queue, score, names)
  local oldDue, oldQueue, oldScore, oldNames = '', '', '', ''
  if row then oldDue, oldQueue, oldScore, oldNames = places(row) end
  moveLists(key, oldNames, names)
  moveDue(key, oldDue, dueAt)
  moveQueue(key, oldQueue, oldScore, queue, score)
end

local function addCounter(field, delta)
  local value = redis.call('HINCRBY', numbers, field, string.format('%d', delta))
  if value == 0 then redis.call('HDEL', numbers, field) end
  return value
end

-- Entries are added before others are taken away: a record that is put and removed in one change leaves none.
local function writeEntries()
  callMany('ZADD', lists, entered)
  callMany('ZREM', lists, left)
  callMany('ZADD', due, dueAts)
  callMany('ZREM', due, notDue)
  for queue, delta in pairs(depths) do
    if delta ~= 0 then
      local depth = addCounter('q' .. queue, delta)
      if depth == 0 then
        redis.call('ZREM', queues, partition .. '\t' .. queue)
      elseif depth == delta then
        redis.call('ZADD', queues, 0, partition .. '\t' .. queue)
      end
    end
  end
end

local function nextRevision()
  return tonumber(redis.call('HGET', numbers, '#revision') or 0) + 1
end

-- The first write of a script, because Redis does not undo a script that fails: all that can fail comes before it.
-- The first revision makes the partition known to questions across partitions.
local function advanceTo(revision)
  redis.call('HSET', numbers, '#revision', string.format('%d', revision))
  if revision == 1 then redis.call('SADD', partitions, partition) end
end

local function announce(revision, sequence, subjects, events)
  local oldest = tonumber(redis.call('TIME')[1]) * 1000 - logKeptMs
  redis.call('XADD', log, 'MINID', '~', string.format('%d', oldest), '*',
    'p', partition, 'r', revision, 's', sequence, 'k', subjects, 'e', events, 'n', redis.call('INCR', logged))
end

local function answer(text)
  redis.call('HSET', answers, id, text)
  redis.call('EXPIRE', answers, answerKeptS)
end
