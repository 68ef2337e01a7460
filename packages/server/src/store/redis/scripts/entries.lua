-- Shared by commit.lua and claim.lua, which begin with this text. Collects what happens to the entries of records and
-- writes it in few large calls. A row is: version, dueAt, queue, score, lists, attempt, head; one line each, so that
-- a row can be taken apart without decoding any JSON. In `lists`, `-name` is a list and `*name` one that is also wide.
-- A row's places (dueAt to lists) are short and stand first: nothing here scans the texts behind them.
-- KEYS 1 heads  2 bodies  3 lists  4 numbers of the partition  5 due  6 log  7 wide  8 queues of the shard  9 answers

local heads, bodies, lists, numbers, due, log, wide, queues, answers = unpack(KEYS)
local partition, id, logKeptMs, answerKeptS = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

local entered, left, wideEntered, wideLeft = {}, {}, {}, {}
local dueAts, notDue, depths = {}, {}, {}

-- unpack is limited by Lua's stack; pairs stay together because the step is even.
local function callMany(command, key, args)
  for first = 1, #args, 4000 do
    redis.call(command, key, unpack(args, first, math.min(first + 3999, #args)))
  end
end

local function places(row)
  return string.match(row, '^%d*\n([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n')
end

local function enterList(name, key)
  entered[#entered + 1] = 0
  entered[#entered + 1] = 'l' .. string.sub(name, 2) .. '\t' .. key
  if string.byte(name) == 42 then
    wideEntered[#wideEntered + 1] = 0
    wideEntered[#wideEntered + 1] = string.sub(name, 2) .. '\t' .. key .. '\t' .. partition
  end
end

local function leaveList(name, key)
  left[#left + 1] = 'l' .. string.sub(name, 2) .. '\t' .. key
  if string.byte(name) == 42 then
    wideLeft[#wideLeft + 1] = string.sub(name, 2) .. '\t' .. key .. '\t' .. partition
  end
end

local function moveLists(key, old, new)
  if old == new then return end
  local had = {}
  for name in string.gmatch(old, '[^\t]+') do had[name] = true end
  for name in string.gmatch(new, '[^\t]+') do
    if had[name] then had[name] = nil else enterList(name, key) end
  end
  for name in pairs(had) do leaveList(name, key) end
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
    entered[#entered + 1] = 0
    entered[#entered + 1] = 'q' .. newQueue .. '\t' .. newScore .. key
    depths[newQueue] = (depths[newQueue] or 0) + 1
  end
end

-- Everything a record's places change when its row is replaced; '' for a row that was not there or will not be.
local function moveRow(key, old, new)
  local oldDue, oldQueue, oldScore, oldNames = '', '', '', ''
  local newDue, newQueue, newScore, newNames = '', '', '', ''
  if old then oldDue, oldQueue, oldScore, oldNames = places(old) end
  if new then newDue, newQueue, newScore, newNames = places(new) end
  moveLists(key, oldNames, newNames)
  moveDue(key, oldDue, newDue)
  moveQueue(key, oldQueue, oldScore, newQueue, newScore)
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
  callMany('ZADD', wide, wideEntered)
  callMany('ZREM', wide, wideLeft)
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

local function announce(revision, sequence, subjects, events)
  local oldest = tonumber(redis.call('TIME')[1]) * 1000 - logKeptMs
  redis.call('XADD', log, 'MINID', '~', string.format('%d', oldest), '*',
    'p', partition, 'r', revision, 's', sequence, 'k', subjects, 'e', events)
end

local function answer(text)
  redis.call('HSET', answers, id, text)
  redis.call('EXPIRE', answers, answerKeptS)
end
