-- Applies one change with its events if every expectation holds; otherwise changes nothing.
-- ARGV 1 partition  2 change id  3 log kept ms  4 answers kept s, then counted groups:
--      n, n × (key, version)                                                            expectations
--      n, n × (key, head, attempt, has body, body, lists, queue, score, dueAt)          puts; '' is none
--      n, n × key                                                                       removals
--      n, n × (counter, delta)                                                          additions
--      n, subjects by tab, events by line                                               announcements
-- Result {'committed', revision, sequence} or {'stale', key, version}

local before = redis.call('HGET', answers, id)
if before then
  local revision, sequence = string.match(before, '^(%d+) (%d+)$')
  return { 'committed', revision, sequence }
end

local at = 5
local function take()
  at = at + 1
  return ARGV[at - 1]
end

local rows = {}
local function readRows(first, count, step)
  local keys = {}
  for i = 0, count - 1 do keys[#keys + 1] = ARGV[first + i * step] end
  for start = 1, #keys, 4000 do
    local stop = math.min(start + 3999, #keys)
    local found = redis.call('HMGET', heads, unpack(keys, start, stop))
    for i = start, stop do rows[keys[i]] = found[i - start + 1] end
  end
end

local expected = tonumber(take())
readRows(at, expected, 2)
for _ = 1, expected do
  local key, version = take(), take()
  local row = rows[key]
  local found = row and string.match(row, '^%d+') or '0'
  if found ~= version then return { 'stale', key, found } end
end

local puts = tonumber(take())
if expected == 0 then readRows(at, puts, 9) end
local revision = redis.call('HINCRBY', numbers, '#revision', 1)

local newHeads, newBodies = {}, {}
for _ = 1, puts do
  local key, head, attempt, hasBody, body = take(), take(), take(), take(), take()
  local names, queue, score, dueAt = take(), take(), take(), take()
  local row = rows[key]
  if row == nil then row = redis.call('HGET', heads, key) end
  if row then
    local _, oldDue, oldQueue, oldScore, oldNames = parseRow(row)
    moveLists(key, oldNames, names)
    moveDue(key, oldDue, dueAt)
    moveQueue(key, oldQueue, oldScore, queue, score)
  else
    moveLists(key, '', names)
    moveDue(key, '', dueAt)
    moveQueue(key, '', '', queue, score)
  end
  local written = makeRow(revision, dueAt, queue, score, names, attempt, head)
  rows[key] = written
  newHeads[#newHeads + 1] = key
  newHeads[#newHeads + 1] = written
  if hasBody == '1' or not row then
    newBodies[#newBodies + 1] = key
    newBodies[#newBodies + 1] = body
  end
end
callMany('HSET', heads, newHeads)
callMany('HSET', bodies, newBodies)

local gone = {}
for _ = 1, tonumber(take()) do
  local key = take()
  local row = rows[key]
  if row == nil then row = redis.call('HGET', heads, key) end
  if row then
    local _, oldDue, oldQueue, oldScore, oldNames = parseRow(row)
    moveLists(key, oldNames, '')
    moveDue(key, oldDue, '')
    moveQueue(key, oldQueue, oldScore, '', '')
    rows[key] = false
    gone[#gone + 1] = key
  end
end
callMany('HDEL', heads, gone)
callMany('HDEL', bodies, gone)
writeEntries()

for _ = 1, tonumber(take()) do
  local name, delta = take(), take()
  addCounter('c' .. name, tonumber(delta))
end

local announced = tonumber(take())
local sequence = redis.call('HINCRBY', numbers, '#sequence', announced)
if announced > 0 then announce(revision, sequence, ARGV[at], ARGV[at + 1]) end
answer(string.format('%d %d', revision, sequence))
return { 'committed', string.format('%d', revision), string.format('%d', sequence) }
