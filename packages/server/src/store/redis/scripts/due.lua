-- Names the entries of a shard whose dueAt has come, to one replica at a time.
-- KEYS 1 due  2 due-lease   ARGV 1 replica  2 lease ms  3 now  4 limit
-- Result a flat list, two for each entry: member, dueAt; empty for all replicas but the one that holds the lease

local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then return {} end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return redis.call('ZRANGE', KEYS[1], '-inf', ARGV[3], 'BYSCORE', 'LIMIT', 0, ARGV[4], 'WITHSCORES')
