-- Shared by commit.lua and claim.lua, which begin with change.lua and this text. Works out where records go and writes
-- their rows and entries in few large calls. A row is three lines: places, attempt, head. Its places are version, dueAt,
-- queue, score and the names of its lists, by tab; in them `-name` is a list and `*name` a wide one. The records of one
-- change mostly move between the same places, so a move is worked out once and carried out for each record.

-- Records that enter places in one change are one entry there, a group, when they are enough to be worth it and their
-- keys begin alike: `job/` and twelve letters of a UUIDv7 are 16 ms. A page reads all groups of such a beginning, and
-- looks at every record of a group, because most of them may have left: so neither may be large.
-- In a row a place that was entered in a group ends with a mark and the group's id.
local groupedFrom, groupedAtMost, alike, mark = 4, 128, 16, '\31'

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

-- A place without its mark, and the id of the group it was entered in.
local function unmarked(place)
  local at = find(place, mark, 1, true)
  if not at then return place end
  return sub(place, 1, at - 1), sub(place, at + 1)
end

-- What going from the lists of a row to others means: those that stay, with their marks, those entered and those left.
local differences = {}
local function difference(names, others)
  local pair = names .. '\n' .. others
  if differences[pair] then return differences[pair] end
  local had, stay, enter, leave = {}, {}, {}, {}
  for _, name in ipairs(splitByTab(names)) do had[unmarked(name)] = name end
  for _, name in ipairs(splitByTab(others)) do
    if had[name] then stay[#stay + 1] = had[name] else enter[#enter + 1] = name end
    had[name] = nil
  end
  for _, name in pairs(had) do leave[#leave + 1] = name end
  differences[pair] = { stay = stay, enter = enter, leave = leave }
  return differences[pair]
end

local function queueFront(places)
  return places.queue ~= '' and 'q' .. places.queue .. '\t' .. places.score
end

-- What going from places to others means. Whoever asks for the move adds the keys that go it, and for each a number by
-- which the rest of its row is found; a move to nowhere needs none.
local moves = {}
local function newMove(from, to)
  local move = { from = from, to = to, keys = {}, rests = {}, lists = difference(from.names, to.names) }
  local dueAt, group = unmarked(from.dueAt)
  move.leavesDue = dueAt ~= '' and dueAt ~= to.dueAt
  move.entersDue = to.dueAt ~= '' and dueAt ~= to.dueAt
  move.dueGroup = group
  if from.queue ~= to.queue or from.score ~= to.score then
    move.enterQueue, move.leaveQueue = queueFront(to), queueFront(from)
  end
  moves[#moves + 1] = move
  return move
end

local function addTo(hash, field, delta)
  local value = redis.call('HINCRBY', hash, field, string.format('%d', delta))
  if value == 0 then redis.call('HDEL', hash, field) end
  return value
end

local function addCounter(name, delta)
  addTo(numbers, 'c' .. name, delta)
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
    local depth = delta ~= 0 and addTo(numbers, 'q' .. queue, delta)
    local front = partition .. '\t' .. queue
    if depth == 0 then
      redis.call('ZREMRANGEBYLEX', queues, '[' .. front .. '\t', '(' .. front .. '\n')
    elseif delta > 0 and depth == delta then
      redis.call('ZADD', queues, 0, front .. '\t' .. queueNames[queue])
    end
  end
end

-- The revision this change makes, and the number of its last event.
local function nextNumbers(announced)
  local last = redis.call('HMGET', numbers, '#revision', '#sequence')
  local revision, sequence = tonumber(last[1] or 0) + 1, tonumber(last[2] or 0) + announced
  return string.format('%d', revision), string.format('%d', sequence)
end

-- The first revision makes the partition known to questions across partitions.
local function advanceTo(revision, sequence)
  redis.call('HSET', numbers, '#revision', revision, '#sequence', sequence)
  if revision == '1' then redis.call('SADD', partitions, partition) end
end

-- What is to be written, as the arguments of one command each.
local newRows, newGroups, entered, left, dueAts, notDue = {}, {}, {}, {}, {}, {}

-- Scores are texts on purpose: Redis formats a Lua number with seventeen digits before it reads it again.
local function addScored(args, score, front, keys, first, last)
  local n = #args
  for i = first, last do
    args[n + 1], args[n + 2] = score, front .. keys[i]
    n = n + 2
  end
end

local function addMembers(args, front, keys, first, last)
  local n = #args - first + 1
  for i = first, last do args[n + i] = front .. keys[i] end
end

local function addPair(args, a, b)
  local n = #args
  args[n + 1], args[n + 2] = a, b
end

local function enterAlone(move, first, last)
  local keys, dueAt = move.keys, move.to.dueAt
  for _, name in ipairs(move.lists.enter) do addScored(entered, '0', name .. '\t', keys, first, last) end
  if move.entersDue then
    addScored(dueAts, dueAt, partition .. '\t', keys, first, last)
  elseif move.leavesDue and not move.dueGroup then
    addMembers(notDue, partition .. '\t', keys, first, last)
  end
end

local function enterTogether(move, first, last, beginning, group)
  local keys, size, places = move.keys, last - first + 1, 0
  for _, name in ipairs(move.lists.enter) do
    addPair(entered, '0', name .. '\t' .. beginning .. '\t' .. group)
    addPair(newGroups, 'n' .. group .. '\t' .. name, size)
    places = places + 1
  end
  if move.entersDue then
    addPair(dueAts, move.to.dueAt, partition .. '\t\t' .. group)
    addPair(newGroups, 'n' .. group .. '\t', size)
    places = places + 1
  end
  if move.leavesDue and not move.dueGroup then addMembers(notDue, partition .. '\t', keys, first, last) end
  addPair(newGroups, 'k' .. group, table.concat(keys, '\t', first, last))
  addPair(newGroups, 't' .. group, size * places)
end

-- The first line of a row after the move.
local function lineOf(move, group)
  local to, suffix, names = move.to, group and mark .. group or '', {}
  for i, name in ipairs(move.lists.stay) do names[i] = name end
  for _, name in ipairs(move.lists.enter) do names[#names + 1] = name .. suffix end
  local dueAt = move.entersDue and to.dueAt .. suffix or to.dueAt ~= '' and move.from.dueAt or ''
  return makePlaces(to.version, dueAt, to.queue, to.score, table.concat(names, '\t')).text .. '\n'
end

-- The last of the keys from `first` on that make one group with it.
local function lastAlike(keys, first, beginning)
  local last, most = first, math.min(#keys, first + groupedAtMost - 1)
  while last < most and sub(keys[last + 1], 1, alike) == beginning do last = last + 1 end
  return last
end

local groupsN = 0
local function carryOut(move, rowOf)
  local keys, rests, to, first, aloneLine = move.keys, move.rests, move.to, 1, nil
  local enters = move.entersDue or #move.lists.enter > 0
  while first <= #keys do
    local beginning, last, line = sub(keys[first], 1, alike), #keys, nil
    if enters then last = lastAlike(keys, first, beginning) end
    -- The beginning of other than plain letters may be cut within one.
    if enters and last - first + 1 >= groupedFrom and not find(beginning, '[\128-\255]') then
      groupsN = groupsN + 1
      local group = to.version .. '.' .. groupsN .. '.' .. last - first + 1
      line = lineOf(move, group)
      enterTogether(move, first, last, beginning, group)
    else
      aloneLine = aloneLine or lineOf(move)
      line = aloneLine
      enterAlone(move, first, last)
    end
    if to.version ~= '0' then
      local n = #newRows
      for i = first, last do
        newRows[n + 1], newRows[n + 2] = keys[i], rowOf(line, rests[i])
        n = n + 2
      end
    end
    first = last + 1
  end
  if move.enterQueue then addScored(entered, '0', move.enterQueue, keys, 1, #keys) end
  if move.leaveQueue then addMembers(left, move.leaveQueue, keys, 1, #keys) end
end

-- So many records of a group leave one of its places; the last takes the entry along, and in the last place the group.
local function leaveGroup(name, group, key, count)
  if addTo(groups, 'n' .. group .. '\t' .. name, -count) == 0 then
    if name == '' then
      redis.call('ZREM', due, partition .. '\t\t' .. group)
    else
      redis.call('ZREM', lists, name .. '\t' .. sub(key, 1, alike) .. '\t' .. group)
    end
  end
  if addTo(groups, 't' .. group, -count) == 0 then redis.call('HDEL', groups, 'k' .. group) end
end

-- The keys of a move come from equal places, marks included, so they are of one group in each.
local function leaveGroups(move)
  local keys = move.keys
  for _, place in ipairs(move.lists.leave) do
    local name, group = unmarked(place)
    if group then leaveGroup(name, group, keys[1], #keys) end
  end
  if move.leavesDue and move.dueGroup then leaveGroup('', move.dueGroup, keys[1], #keys) end
end

-- Entries of one list follow each other, so that Redis walks the same way for all of them. What can fail comes before
-- the first write, because Redis does not undo a script that fails.
local function writeMoves(revision, sequence, rowOf)
  for _, move in ipairs(moves) do
    carryOut(move, rowOf)
    for _, place in ipairs(move.lists.leave) do
      local name, group = unmarked(place)
      if not group then addMembers(left, name .. '\t', move.keys, 1, #move.keys) end
    end
  end
  advanceTo(revision, sequence)
  callMany('HSET', heads, newRows)
  callMany('HSET', groups, newGroups)
  callMany('ZADD', lists, entered)
  callMany('ZREM', lists, left)
  callMany('ZADD', due, dueAts)
  callMany('ZREM', due, notDue)
  for _, move in ipairs(moves) do leaveGroups(move) end
  writeDepths()
end
