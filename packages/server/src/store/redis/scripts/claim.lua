-- Takes records from the head of a queue and attaches prepared attempts to them, within the limits. Everything it
-- writes was handed in; it computes nothing about the records.
-- ARGV 1 partition  2 claim id  3 log kept ms  4 answers kept s
--      5 queue id  6 wide list to leave  7 wide list to enter, then counted groups:
--      n, n × (counter, max)               limits
--      n, n × (counter, delta per record)  additions
--      n, n × attempt                      prepared attempts
--      n, n × (dueAt, m)                   runs of m attempts that share it
--      events by line, one for each attempt
-- Result {keys by tab, versions by tab}, then two for each record: head, body. In the answer to a claim that is sent
--      again a version of 0 stands for a record that does not have its attempt any more.

local queue, leaves, enters = ARGV[5], '*' .. ARGV[6], '*' .. ARGV[7]
local at = 8
local function take()
  at = at + 1
  return ARGV[at - 1]
end

local limits, additions = {}, {}
for i = 1, tonumber(take()) do limits[i] = { take(), tonumber(take()) } end
for i = 1, tonumber(take()) do additions[i] = { take(), tonumber(take()) } end
local wanted = tonumber(take())
local attemptsAt = at - 1
at = at + wanted

-- Where the head of a row begins; the attempt stands between it and the places.
local function headAt(row, places)
  return find(row, '\n', #places.text + 2, true) + 1
end

-- Of the records this claim took, those that still have the attempt it attached: others may have taken the rest since.
local function stillClaimed(subjects)
  local keys = splitByTab(subjects)
  local rows, found = getMany(heads, keys), getMany(bodies, keys)
  local versions, result = {}, { subjects, '' }
  for i = 1, #keys do
    local row, version, head = rows[i], '0', ''
    if row then
      local places = placesOf(row)
      local first = headAt(row, places)
      if sub(row, #places.text + 2, first - 2) == ARGV[attemptsAt + i] then
        version, head = places.version, sub(row, first)
      end
    end
    versions[i], result[2 * i + 1], result[2 * i + 2] = version, head, found[i] or ''
  end
  result[2] = table.concat(versions, '\t')
  return result
end

local before = redis.call('HGET', answers, id)
if before then return stillClaimed(before) end

local allowed = wanted
for _, limit in ipairs(limits) do
  allowed = math.min(allowed, limit[2] - tonumber(redis.call('HGET', numbers, 'c' .. limit[1]) or 0))
end
if allowed <= 0 then return {} end

local first = 'q' .. queue .. '\t'
local members = redis.call('ZRANGE', lists, '[' .. first, '(q' .. queue .. '\n', 'BYLEX', 'LIMIT', 0, allowed)
if #members == 0 then return {} end

-- A queue's member is its id, a tab, fourteen digits of score, and the key.
local keys, keyAt = {}, #first + 15
for i = 1, #members do keys[i] = sub(members[i], keyAt) end

local swapped = {}
local function swapList(names)
  if swapped[names] then return swapped[names] end
  local kept, had = {}, {}
  for _, place in ipairs(splitByTab(names)) do had[unmarked(place)] = true end
  for _, place in ipairs(splitByTab(names)) do
    local name = unmarked(place)
    if name ~= leaves then
      kept[#kept + 1] = name
    elseif not had[enters] or leaves == enters then
      kept[#kept + 1] = enters
    end
  end
  swapped[names] = table.concat(kept, '\t')
  return swapped[names]
end

local revision, sequence = nextNumbers(#keys)

local function newClaim(places, dueAt)
  local move = newMove(places, makePlaces(revision, dueAt, '', '', swapList(places.names)))
  -- The queue's entries stand together and are removed as one range.
  move.leaveQueue = nil
  return move
end

local rows, found = getMany(heads, keys), getMany(bodies, keys)
local versions, result, taken = {}, { '', '' }, 0
for _ = 1, tonumber(take()) do
  local dueAt, last, planned = take(), taken + tonumber(take()), {}
  for i = taken + 1, math.min(last, #keys) do
    local row = rows[i]
    local places = placesOf(row)
    local move = planned[places] or newClaim(places, dueAt)
    planned[places] = move
    local n = #move.keys + 1
    move.keys[n], move.rests[n] = keys[i], i
    versions[i], result[2 * i + 1], result[2 * i + 2] = revision, sub(row, headAt(row, places)), found[i] or ''
  end
  taken = last
end

-- The first so many lines of a text.
local function firstLines(text, count)
  local last = 0
  for _ = 1, count do last = find(text, '\n', last + 1, true) or #text + 1 end
  return sub(text, 1, last - 1)
end

local events = take()
if #keys < wanted then events = firstLines(events, #keys) end

writeMoves(revision, sequence, function(line, i)
  return line .. ARGV[attemptsAt + i] .. '\n' .. result[2 * i + 1]
end)
redis.call('ZREMRANGEBYLEX', lists, '[' .. members[1], '[' .. members[#members])
for _, addition in ipairs(additions) do addCounter(addition[1], addition[2] * #keys) end

local subjects = table.concat(keys, '\t')
announce(revision, sequence, subjects, events)
answer(subjects)
result[1], result[2] = subjects, table.concat(versions, '\t')
return result
