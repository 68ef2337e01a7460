-- Where a shard's log ends, and on which server: in a cluster only a script reaches the very node that holds a key.
-- KEYS 1 log  2 logged
-- Result {replication id of the server, id of the last entry, entries kept, number of the last entry}

local server = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local number = tonumber(redis.call('GET', KEYS[2]) or 0)
if redis.call('EXISTS', KEYS[1]) == 0 then return { server, '0-0', 0, number } end
local info, field = redis.call('XINFO', 'STREAM', KEYS[1]), {}
for i = 1, #info, 2 do field[info[i]] = info[i + 1] end
return { server, field['last-generated-id'], field['length'], number }
