// Whose connection it is, as limits count it. What a proxy says of its client counts only where the proxy is trusted, and
// of several the last that no trusted one named: everything before it the client could have written itself.

import { BlockList, isIPv6 } from 'node:net'

export type AddressOf = (
  remote: string | undefined,
  forwarded: string | readonly string[] | undefined,
) => string

export function addressReader(trusted: readonly string[]): AddressOf {
  const proxies = listOf(trusted)
  const isProxy = (address: string): boolean => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (remote, forwarded) => {
    let address = plain(remote ?? '')
    if (trusted.length === 0 || !isProxy(address)) return keyOf(address)
    const named = [forwarded ?? []].flat().join(',').split(',').map(plain).filter(Boolean)
    for (const before of named.reverse()) {
      address = before
      if (!isProxy(before)) break
    }
    return keyOf(address)
  }
}

const loopback = ['127.0.0.0/8', '::1'] as const

function listOf(trusted: readonly string[]): BlockList {
  const list = new BlockList()
  for (const each of trusted.flatMap((one) => (one === 'loopback' ? loopback : one))) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Without a port, brackets, and the dress in which an IPv4 address comes to a socket that takes both kinds. */
function plain(address: string): string {
  const bare = address
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
  return bare.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '')
}

/** Whoever has one IPv6 address has the 2^64 of its network: they are counted together. */
function keyOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, 64)
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
