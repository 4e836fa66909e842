import { BlockList, isIP, type IPVersion } from 'node:net'

/** Networks that are not public unicast: https://www.iana.org/assignments/iana-ipv4-special-registry/ and multicast. */
const special4 = networks('ipv4', [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24',
  '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
  // Public by its number, but Azure's service for the virtual machine that asks.
  '168.63.129.16/32'
])

/** All of public IPv6 unicast. Mapped and compatible IPv4, NAT64, private, link-local and multicast addresses lie outside. */
const global6 = networks('ipv6', ['2000::/3'])

/** Exceptions from {@link global6}: protocols such as Teredo, documentation, 6to4, AS112. */
const special6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

// One list for both families would also match IPv4-mapped addresses.
const loopback = { ipv4: networks('ipv4', ['127.0.0.0/8']), ipv6: networks('ipv6', ['::1/128']) }

function networks (family: IPVersion, list: string[]): BlockList {
  const block = new BlockList()
  for (const network of list) {
    const [address = '', bits] = network.split('/')
    block.addSubnet(address, Number(bits), family)
  }
  return block
}

/** Whether a text is a public unicast address. Names and addresses with a zone are not. */
export function isPublicAddress (address: string): boolean {
  switch (familyOf(address)) {
    case 'ipv4': return !special4.check(address, 'ipv4')
    case 'ipv6': return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
    default: return false
  }
}

/** Whether a text is an address of 127.0.0.0/8 or `::1`. An IPv4-mapped address is not. */
export function isLoopbackAddress (address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && loopback[family].check(address, family)
}

function familyOf (address: string): IPVersion | undefined {
  if (address.includes('%')) return undefined
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}
