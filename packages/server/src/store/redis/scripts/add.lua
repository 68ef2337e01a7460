-- Applies one change that only adds records, or rewrites such as stand in no list, with its events if every expectation
-- holds; otherwise changes nothing. Where commit.lua works out what to remove and what to add, here it is known beforehand,
-- and a single job is submitted in half the time. Begins with change.lua.
-- ARGV 5 how many events  6 their subjects by tab  7 their texts by line, then counted groups:
--      n, n × key, n × version        expectations, then those of the puts; '' is none
--      n, n × text                    rows of the puts without their version, of the last n of these keys
--      n, n × (key, body)             bodies
--      n, n × (score, member)         entries of lists
--      n, n × (dueAt, member)         entries of what is due
--      n, n × counter, n × delta      additions
-- Result {'committed', revision, sequence}, {'stale', key, version}, or {'moves'}: something would have to be
--      removed for a record that is rewritten, which is for commit.lua

local before = answeredBefore()
if before then return before end

local at = 8
-- Where the arguments of a group begin that has so many for each of what it counts, and their number.
local function group(each)
  local first, count = at + 1, tonumber(ARGV[at])
  at = first + each * count
  return first, count
end

local function callWith(command, key, first, count)
  if count > 0 then redis.call(command, key, unpack(ARGV, first, first + count - 1)) end
end

-- A row in no list and no queue needs nothing removed, unless it is due and the new one is not, or is due in a group.
local function isOverwritten(row, newRow)
  local dueFrom = find(row, '\t', 1, true)
  local dueTo = find(row, '\t', dueFrom + 1, true)
  if sub(row, dueTo, find(row, '\n', dueTo, true)) ~= '\t\t\t\n' then return false end
  local dueAt = sub(row, dueFrom + 1, dueTo - 1)
  return dueAt == '' or tonumber(dueAt) ~= nil and sub(newRow, 1, 2) ~= '\t\t'
end

local keysAt, keysN = group(2)
local rowsAt, rowsN = group(1)
local bodiesAt, bodiesN = group(2)
local entriesAt, entriesN = group(2)
local dueAt, dueN = group(2)
local countersAt, countersN = group(2)

if keysN > 0 then
  local rows = redis.call('HMGET', heads, unpack(ARGV, keysAt, keysAt + keysN - 1))
  for i = 1, keysN do
    local row, wanted = rows[i], ARGV[keysAt + keysN + i - 1]
    local version = row and sub(row, 1, find(row, '\t', 1, true) - 1) or '0'
    if wanted ~= '' and wanted ~= version then return { 'stale', ARGV[keysAt + i - 1], version } end
  end
  for i = 1, rowsN do
    local row = rows[keysN - rowsN + i]
    if row and not isOverwritten(row, ARGV[rowsAt + i - 1]) then return { 'moves' } end
  end
end

local last = redis.call('HMGET', numbers, '#revision', '#sequence', unpack(ARGV, countersAt, countersAt + countersN - 1))
local announced = tonumber(ARGV[5])
local revision = string.format('%d', tonumber(last[1] or 0) + 1)
local sequence = string.format('%d', tonumber(last[2] or 0) + announced)
local newNumbers, zeros = { '#revision', revision, '#sequence', sequence }, {}
for i = 1, countersN do
  local name = ARGV[countersAt + i - 1]
  local value = tonumber(last[2 + i] or 0) + tonumber(ARGV[countersAt + countersN + i - 1])
  if value == 0 then
    zeros[#zeros + 1] = name
  else
    newNumbers[#newNumbers + 1] = name
    newNumbers[#newNumbers + 1] = string.format('%d', value)
  end
end

redis.call('HSET', numbers, unpack(newNumbers))
if #zeros > 0 then redis.call('HDEL', numbers, unpack(zeros)) end
if revision == '1' then redis.call('SADD', partitions, partition) end
local newRows, keyAt = {}, keysAt + keysN - rowsN
for i = 0, rowsN - 1 do
  newRows[2 * i + 1], newRows[2 * i + 2] = ARGV[keyAt + i], revision .. ARGV[rowsAt + i]
end
if rowsN > 0 then redis.call('HSET', heads, unpack(newRows)) end
callWith('HSET', bodies, bodiesAt, 2 * bodiesN)
callWith('ZADD', lists, entriesAt, 2 * entriesN)
callWith('ZADD', due, dueAt, 2 * dueN)
if announced > 0 then announce(revision, sequence, ARGV[6], ARGV[7]) end
answer(revision .. ' ' .. sequence)
return { 'committed', revision, sequence }
