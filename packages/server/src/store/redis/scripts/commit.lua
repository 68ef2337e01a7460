-- Applies one change with its events if every expectation holds; otherwise changes nothing.
-- ARGV 1 partition  2 change id  3 log kept ms  4 answers kept s
--      5 how many events  6 their subjects by tab, '' for the keys of the puts  7 their texts by line, then counted groups:
--      n, n × (key, version)                                                  expectations
--      n, n × (version, dueAt, queue id, score, lists, queue, has bodies, is one text, m,
--              m × key, one or m × attempt LF head,
--              where it has bodies their common front, m × the rest of one)  runs of puts that share these; '' is none
--      n, n × key                                                             removals
--      n, n × (counter, delta)                                                additions
-- Result {'committed', revision, sequence} or {'stale', key, version}

local before = answeredBefore()
if before then return before end

local announced, at = tonumber(ARGV[5]), 8
local function take()
  at = at + 1
  return ARGV[at - 1]
end

-- Every key in question with the version it must have, in the order in which staleness is told.
local keys, versions, keysN = {}, {}, 0
for _ = 1, tonumber(take()) do
  keysN = keysN + 1
  keys[keysN], versions[keysN] = take(), take()
end

local expected, runs = keysN, {}
for i = 1, tonumber(take()) do
  local run = { version = take(), dueAt = take(), queue = take(), score = take(), names = take() }
  queueNames[run.queue] = take()
  run.hasBodies, run.isOneText, run.count = take() == '1', take() == '1', tonumber(take())
  run.keysAt, run.textsAt = at, at + run.count
  at = run.textsAt + (run.isOneText and 1 or run.count)
  if run.hasBodies then
    run.front, run.bodiesAt = take(), at
    at = at + run.count
  end
  for j = run.keysAt, run.textsAt - 1 do
    keysN = keysN + 1
    keys[keysN], versions[keysN] = ARGV[j], run.version
  end
  runs[i] = run
end

local checked, removed, leaving = keysN, tonumber(take()), {}
for _ = 1, removed do
  keysN = keysN + 1
  keys[keysN] = take()
  leaving[keys[keysN]] = true
end

local from = {}
for i, row in ipairs(getMany(heads, keys)) do
  local places = placesOf(row)
  local version = versions[i]
  if version and version ~= '' and version ~= places.version then return { 'stale', keys[i], places.version } end
  from[i] = places
end

local function moveOf(planned, places, to)
  planned[places] = planned[places] or newMove(places, to)
  return planned[places]
end

local revision, sequence = nextNumbers(announced)
local newBodies, bodiesN, n = {}, 0, expected
for _, run in ipairs(runs) do
  local to, planned = makePlaces(revision, run.dueAt, run.queue, run.score, run.names), {}
  for i = 0, run.count - 1 do
    n = n + 1
    local key = keys[n]
    -- What is put and removed in one change is removed.
    if not leaving[key] then
      local move = moveOf(planned, from[n], to)
      local at = #move.keys + 1
      move.keys[at], move.rests[at] = key, run.isOneText and run.textsAt or run.textsAt + i
      if run.hasBodies then
        newBodies[bodiesN + 1], newBodies[bodiesN + 2] = key, run.front .. ARGV[run.bodiesAt + i]
        bodiesN = bodiesN + 2
      end
    end
  end
end

local gone, going = {}, {}
for i = checked + 1, keysN do
  local key = keys[i]
  -- Named twice, it is removed once.
  if leaving[key] and from[i] ~= nowhere then
    local move = moveOf(going, from[i], nowhere)
    move.keys[#move.keys + 1] = key
    gone[#gone + 1] = key
    leaving[key] = nil
  end
end

writeMoves(revision, sequence, function(line, at) return line .. ARGV[at] end)
callMany('HSET', bodies, newBodies)
callMany('HDEL', heads, gone)
callMany('HDEL', bodies, gone)

for _ = 1, tonumber(take()) do
  local name, delta = take(), take()
  addCounter(name, tonumber(delta))
end
if announced > 0 then
  local subjects = ARGV[6] ~= '' and ARGV[6] or table.concat(keys, '\t', expected + 1, checked)
  announce(revision, sequence, subjects, ARGV[7])
end
answer(revision .. ' ' .. sequence)
return { 'committed', revision, sequence }
