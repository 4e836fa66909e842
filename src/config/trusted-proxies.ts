import { BlockList, isIP } from 'node:net'

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Unique local addresses (RFC 4193), the private networks of IPv6. */
const uniqueLocal = new BlockList()
uniqueLocal.addSubnet('fc00::', 7, 'ipv6')

/** Whether a text is `true`, `false`, a number of proxies from 1 to 9, or a comma-separated list of addresses and subnets. */
export function isTrust (text: string): boolean {
  return text === 'true' || text === 'false' || isHops(text) || text.split(',').every((part) => {
    const [address = '', bits = '1', ...rest] = part.trim().split('/')
    const version = isIP(address)
    return version > 0 && rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  })
}

/** Whether a text is a number of proxies. */
export function isHops (text: string): boolean {
  return /^[1-9]$/.test(text)
}

/** The subnets of a list that are larger than the network of any operator, such as `0.0.0.0/1` and `::ffff:0:0/96`, all of IPv4. */
export function tooWideSubnets (list: string): string[] {
  return list.split(',').map(part => part.trim()).filter((part) => {
    const [address = '', bits] = part.split('/')
    return bits !== undefined && Number(bits) < shortestPrefix(address)
  })
}

function shortestPrefix (address: string): number {
  switch (isIP(address)) {
    case 4: return 8
    case 6: return mapped.check(address, 'ipv6') ? 104 : uniqueLocal.check(address, 'ipv6') ? 7 : 32
    default: return 0
  }
}
