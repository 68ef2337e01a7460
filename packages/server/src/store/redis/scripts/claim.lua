-- Takes records from the head of a queue and attaches prepared attempts to them, within the limits. Everything it
-- writes was handed in; it computes nothing about the records.
-- ARGV 1 partition  2 claim id  3 log kept ms  4 answers kept s  5 queue  6 wide list to leave  7 wide list to enter,
--      then counted groups:
--      n, n × (counter, max)               limits
--      n, n × (counter, delta per record)  additions
--      n, n × (attempt, dueAt, event)      prepared attempts
-- Result a flat list, five for each record: key, version, head, attempt, body

local function pushRecord(result, key, version, head, attempt, body)
  local at = #result
  result[at + 1], result[at + 2], result[at + 3] = key, version, head
  result[at + 4], result[at + 5] = attempt, body or ''
end

local queue, from, to = ARGV[5], '*' .. ARGV[6], '*' .. ARGV[7]
local at = 8
local function take()
  at = at + 1
  return ARGV[at - 1]
end

local limits, additions, attempts = {}, {}, {}
for i = 1, tonumber(take()) do limits[i] = { take(), tonumber(take()) } end
for i = 1, tonumber(take()) do additions[i] = { take(), tonumber(take()) } end
for i = 1, tonumber(take()) do attempts[i] = { take(), take(), take() } end

-- Of the records this claim took, those that still have the attempt it attached: others may have taken the rest since.
local function stillClaimed(keys)
  local result, rows, found = {}, getMany(heads, keys), getMany(bodies, keys)
  for i, key in ipairs(keys) do
    local row = rows[i]
    if row then
      local _, _, _, _, attemptAt = places(row)
      local headAt = find(row, '\n', attemptAt, true) + 1
      local attempt = sub(row, attemptAt, headAt - 2)
      if attempts[i] and attempt == attempts[i][1] then
        pushRecord(result, key, versionOf(row), sub(row, headAt), attempt, found[i])
      end
    end
  end
  return result
end

local before = redis.call('HGET', answers, id)
if before then return stillClaimed(splitByTab(before)) end

local allowed = #attempts
for _, limit in ipairs(limits) do
  allowed = math.min(allowed, limit[2] - tonumber(redis.call('HGET', numbers, 'c' .. limit[1]) or 0))
end
if allowed <= 0 then return {} end

local first = 'q' .. queue .. '\t'
local members = redis.call('ZRANGE', lists, '[' .. first, '(q' .. queue .. '\n', 'BYLEX', 'LIMIT', 0, allowed)
if #members == 0 then return {} end

local keys = {}
for i, member in ipairs(members) do
  -- A queue's member is its name, a tab, fourteen digits of score, and the key.
  keys[i] = string.sub(member, #first + 15)
  left[#left + 1] = member
end
depths[queue] = -#keys

local swapped = {}
local function swapList(names)
  if swapped[names] then return swapped[names] end
  local kept, had = {}, {}
  for _, name in ipairs(splitByTab(names)) do had[name] = true end
  for _, name in ipairs(splitByTab(names)) do
    if name ~= from then
      kept[#kept + 1] = name
    elseif not had[to] or from == to then
      kept[#kept + 1] = to
    end
  end
  swapped[names] = table.concat(kept, '\t')
  return swapped[names]
end

local revision = nextRevision()
local version = string.format('%d', revision)
local rows, found = getMany(heads, keys), getMany(bodies, keys)
local newHeads, events, result = {}, {}, {}
for i, key in ipairs(keys) do
  local attempt, dueAt, event = unpack(attempts[i])
  local oldDue, _, _, names, attemptAt = places(rows[i])
  local head, newNames = sub(rows[i], find(rows[i], '\n', attemptAt, true) + 1), swapList(names)
  moveLists(key, names, newNames)
  moveDue(key, oldDue, dueAt)
  newHeads[#newHeads + 1] = key
  newHeads[#newHeads + 1] = version .. '\n' .. dueAt .. '\n\n\n' .. newNames .. '\n' .. attempt .. '\n' .. head
  events[i] = event
  pushRecord(result, key, version, head, attempt, found[i])
end

advanceTo(revision)
callMany('HSET', heads, newHeads)
writeEntries()
for _, addition in ipairs(additions) do addCounter('c' .. addition[1], addition[2] * #keys) end

local subjects = table.concat(keys, '\t')
local sequence = redis.call('HINCRBY', numbers, '#sequence', #keys)
announce(revision, sequence, subjects, table.concat(events, '\n'))
answer(subjects)
return result
