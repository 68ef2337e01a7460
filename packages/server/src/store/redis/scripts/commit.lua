-- Applies one change with its events if every expectation holds; otherwise changes nothing.
-- ARGV 1 partition  2 change id  3 log kept ms  4 answers kept s, then counted groups:
--      n, n × (key, version)                                                            expectations
--      n, n × (key, version, dueAt, queue, score, lists, attempt LF head, has body, body)  puts; '' is none
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
  for i, row in ipairs(getMany(heads, keys)) do rows[keys[i]] = row end
end

local function isStale(key, expected)
  local row = rows[key]
  local found = row and versionOf(row) or '0'
  return expected ~= '' and found ~= expected and { 'stale', key, found }
end

local expected = tonumber(take())
readRows(at, expected, 2)
for _ = 1, expected do
  local stale = isStale(take(), take())
  if stale then return stale end
end

local puts, putWidth = tonumber(take()), 9
readRows(at, puts, putWidth)
for i = 0, puts - 1 do
  local stale = isStale(ARGV[at + i * putWidth], ARGV[at + i * putWidth + 1])
  if stale then return stale end
end
local removalsAt = at + puts * putWidth
readRows(removalsAt + 1, tonumber(ARGV[removalsAt]), 1)

local revision = nextRevision()
local version = string.format('%d', revision)
local newHeads, newBodies = {}, {}
for _ = 1, puts do
  local key, dueAt, queue, score = ARGV[at], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  local names, texts, hasBody, body = ARGV[at + 5], ARGV[at + 6], ARGV[at + 7], ARGV[at + 8]
  at = at + putWidth
  local old = rows[key]
  movePlaces(key, old, dueAt, queue, score, names)
  local row = version .. '\n' .. dueAt .. '\n' .. queue .. '\n' .. score .. '\n' .. names .. '\n' .. texts
  rows[key] = row
  newHeads[#newHeads + 1] = key
  newHeads[#newHeads + 1] = row
  if hasBody == '1' or not old then
    newBodies[#newBodies + 1] = key
    newBodies[#newBodies + 1] = body
  end
end

local gone = {}
for _ = 1, tonumber(take()) do
  local key = take()
  local row = rows[key]
  if row then
    movePlaces(key, row, '', '', '', '')
    rows[key] = false
    gone[#gone + 1] = key
  end
end

advanceTo(revision)
callMany('HSET', heads, newHeads)
callMany('HSET', bodies, newBodies)
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
return { 'committed', version, string.format('%d', sequence) }
