-- Shared by commit.lua and claim.lua, which begin with this text. Works out where records go and writes their entries
-- in few large calls. A row is three lines: places, attempt, head. Its places are version, dueAt, queue, score and
-- the names of its lists, by tab; in them `-name` is a list and `*name` a wide one. The records of one change mostly
-- move between the same places, so a move is worked out once and carried out for each record.
-- KEYS 1 heads  2 bodies  3 lists  4 numbers of the partition
--      5 due  6 log  7 partitions  8 queues of the shard  9 answers of a minute  10 logged

local heads, bodies, lists, numbers, due, log, partitions, queues, answers, logged = unpack(KEYS)
local partition, id, logKeptMs, answerKeptS = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

-- Finding out what is too old costs as much as adding an entry: the log may be this many longer than its age allows.
local trimmedEvery = 100

-- unpack is limited by Lua's stack; pairs stay together because the step is even.
local atOnce = 4000

local function callMany(command, key, args)
  for first = 1, #args, atOnce do
    redis.call(command, key, unpack(args, first, math.min(first + atOnce - 1, #args)))
  end
end

local function getMany(hash, keys)
  if #keys == 0 then return {} end
  if #keys <= atOnce then return redis.call('HMGET', hash, unpack(keys)) end
  local values = {}
  for first = 1, #keys, atOnce do
    local found = redis.call('HMGET', hash, unpack(keys, first, math.min(first + atOnce - 1, #keys)))
    for i = 1, #found do values[first + i - 1] = found[i] end
  end
  return values
end

-- Plain finds, because a pattern costs a call for every character it passes.
local find, sub = string.find, string.sub

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

local function makePlaces(version, dueAt, queue, score, names)
  local text = version .. '\t' .. dueAt .. '\t' .. queue .. '\t' .. score .. '\t' .. names
  return { version = version, dueAt = dueAt, queue = queue, score = score, names = names, text = text }
end

-- The places of a record that does not exist.
local nowhere = makePlaces('0', '', '', '', '')

local known = {}
local function placesOf(row)
  if not row then return nowhere end
  local text = sub(row, 1, find(row, '\n', 1, true) - 1)
  local places = known[text]
  if places then return places end
  local a = find(text, '\t', 1, true)
  local b = find(text, '\t', a + 1, true)
  local c = find(text, '\t', b + 1, true)
  local d = find(text, '\t', c + 1, true)
  places = makePlaces(sub(text, 1, a - 1), sub(text, a + 1, b - 1), sub(text, b + 1, c - 1), sub(text, c + 1, d - 1),
    sub(text, d + 1))
  known[text] = places
  return places
end

-- How the entries of the lists begin that stand in `names` and not in `others`.
local differences = {}
local function frontsOnlyIn(names, others)
  local pair = names .. '\n' .. others
  if differences[pair] then return differences[pair] end
  local had, fronts = {}, {}
  for _, name in ipairs(splitByTab(others)) do had[name] = true end
  for _, name in ipairs(splitByTab(names)) do
    if not had[name] then fronts[#fronts + 1] = name .. '\t' end
  end
  differences[pair] = fronts
  return fronts
end

local function queueFront(places)
  return places.queue ~= '' and 'q' .. places.queue .. '\t' .. places.score
end

-- What going from places to others means: how the entries begin that are entered and left. Each ends with a key, and
-- those are added by whoever asked for the move.
local moves = {}
local function newMove(from, to)
  local move = { from = from, to = to, keys = {} }
  move.enter, move.leave = frontsOnlyIn(to.names, from.names), frontsOnlyIn(from.names, to.names)
  if from.queue ~= to.queue or from.score ~= to.score then
    move.enterQueue, move.leaveQueue = queueFront(to), queueFront(from)
  end
  moves[#moves + 1] = move
  return move
end

local function addCounter(field, delta)
  local value = redis.call('HINCRBY', numbers, field, string.format('%d', delta))
  if value == 0 then redis.call('HDEL', numbers, field) end
  return value
end

-- The name of each queue that a record of this change enters, by its id.
local queueNames = {}

local function writeDepths()
  local deltas = {}
  for _, move in ipairs(moves) do
    local from, to, count = move.from.queue, move.to.queue, #move.keys
    deltas[from] = (deltas[from] or 0) - count
    deltas[to] = (deltas[to] or 0) + count
  end
  deltas[''] = nil
  for queue, delta in pairs(deltas) do
    local depth = delta ~= 0 and addCounter('q' .. queue, delta)
    local front = partition .. '\t' .. queue
    if depth == 0 then
      redis.call('ZREMRANGEBYLEX', queues, '[' .. front .. '\t', '(' .. front .. '\n')
    elseif delta > 0 and depth == delta then
      redis.call('ZADD', queues, 0, front .. '\t' .. queueNames[queue])
    end
  end
end

-- Scores are texts on purpose: Redis formats a Lua number with seventeen digits before it reads it again.
local function addScored(args, score, front, keys)
  local n = #args
  for i = 1, #keys do
    args[n + 1], args[n + 2] = score, front .. keys[i]
    n = n + 2
  end
end

local function addMembers(args, front, keys)
  local n = #args
  for i = 1, #keys do args[n + i] = front .. keys[i] end
end

-- Entries are added before others are taken away: a record that is put and removed in one change leaves none. Those of
-- one list follow each other, so that Redis walks the same way for all of them.
local function writeEntries()
  local entered, left, dueAts, notDue = {}, {}, {}, {}
  for _, move in ipairs(moves) do
    local keys, dueAt = move.keys, move.to.dueAt
    for _, front in ipairs(move.enter) do addScored(entered, '0', front, keys) end
    for _, front in ipairs(move.leave) do addMembers(left, front, keys) end
    if move.enterQueue then addScored(entered, '0', move.enterQueue, keys) end
    if move.leaveQueue then addMembers(left, move.leaveQueue, keys) end
    if dueAt == '' and move.from.dueAt ~= '' then
      addMembers(notDue, partition .. '\t', keys)
    elseif dueAt ~= move.from.dueAt then
      addScored(dueAts, dueAt, partition .. '\t', keys)
    end
  end
  callMany('ZADD', lists, entered)
  callMany('ZREM', lists, left)
  callMany('ZADD', due, dueAts)
  callMany('ZREM', due, notDue)
  writeDepths()
end

-- The revision this change makes, and the number of its last event.
local function nextNumbers(announced)
  local last = redis.call('HMGET', numbers, '#revision', '#sequence')
  local revision, sequence = tonumber(last[1] or 0) + 1, tonumber(last[2] or 0) + announced
  return string.format('%d', revision), string.format('%d', sequence)
end

-- The first write of a script, because Redis does not undo a script that fails: all that can fail comes before it.
-- The first revision makes the partition known to questions across partitions.
local function advanceTo(revision, sequence)
  redis.call('HSET', numbers, '#revision', revision, '#sequence', sequence)
  if revision == '1' then redis.call('SADD', partitions, partition) end
end

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
