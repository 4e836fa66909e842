/** Hosts that lead to this machine. Receivers on this machine are allowed outside production only. */
export const loopbackHosts = [
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '127.000.000.001', '127.0.0.1.',
  '2130706433', '0x7f000001', '0X7F000001', '017700000001', '0177.0.0.1', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0x0.0.01',
  // Full-width, circled and mathematical digits, ideographic full stops, soft hyphens, percent-encoding.
  '１２７.０.０.１', '①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '127。0。0。1', '127．0．0．1', '127.0.0.\u00ad1', '%31%32%37.0.0.1', '127%2E0%2E0%2E1', '0x7f%2e1',
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000::0001]', '[::0:1]', '[::0.0.0.1]',
  'localhost', 'LOCALHOST', 'LocalHost', 'app.localhost', 'a.b.c.localhost', '%6cocalhost', 'ｌｏｃａｌｈｏｓｔ', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'local\u00adhost', 'localhoſt'
]

/** Hosts that are never allowed. */
export const forbiddenHosts = [
  // This machine in forms that no policy allows.
  '0.0.0.0', '0', '0x0', '00.0', '0.0.0.1', '0.255.255.255', '[::]', '[0::0]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:0.0.0.0]', 'localhost.', 'app.localhost.', 'localhost.localdomain', 'localhost6.localdomain6',
  // Private networks.
  '10.0.0.1', '10.255.255.255', '10.1', '167772161', '0xa000001', '0xa.0.0.1', '012.0.0.1', '012.1', '１０.０.０.１', '⑩.⓪.⓪.①', '10.0.0.1.', '%31%30.0.0.1', '172.16.0.1', '172.31.255.255', '0xac.0x10.0.1', '172.1048577', '192.168.0.1', '192.168.1', '192.168.257', '0xc0a80001', '3232235521', '030052000001', '0300.0250.0.01', '１９２.１６８.０.１',
  // Link-local addresses and metadata services of clouds.
  '169.254.169.254', '169.254.43518', '169.16689662', '2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '0251.0376.0251.0376', '025177524776', '0251.254.0xa9.254', '①⑥⑨.②⑤④.①⑥⑨.②⑤④', '169。254。169。254', '169.254.169.254.', '169.254.170.2', '169.254.169.123', '100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd00:ec2::254]', '[fd00:0ec2:0:0:0:0:0:0254]', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[::169.254.169.254]', '[64:ff9b::169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::169.254.169.254]', '[2002:a9fe:a9fe::]', '[fe80::a9fe:a9fe]', 'metadata.google.internal', 'METADATA.GOOGLE.INTERNAL', 'metadata.google.internal.', 'metadata', 'instance-data.ec2.internal',
  // Shared, documentation, benchmark, multicast, reserved and broadcast addresses.
  '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff', '037777777777',
  // IPv6: private, link-local, site-local, multicast, mapped, NAT64, 6to4, Teredo, documentation, discard, segment routing.
  '[fc00::1]', '[fd12:3456:789a::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff01::1]', '[ff02::1]', '[ff0e::1]', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '[::FFFF:192.168.0.1]', '[::ffff:8.8.8.8]', '[::8.8.8.8]', '[::ffff:0:a00:1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a00:1::]', '[2002:c0a8:1::1]', '[2001::1]', '[2001:0:7f00:1::]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]', '[2620:4f:8000::1]', '[4000::1]',
  // Zone ids.
  '[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]', '[::1%lo]', '127.0.0.1%25lo',
  // Names of local networks, which an egress proxy might resolve.
  'postgres', 'redis', 'intranet', 'printer.local', 'router.home.arpa', 'host.docker.internal', 'kubernetes.default.svc.cluster.local', 'db.localdomain',
  // Not names of DNS.
  'receiver..example', '.receiver.example', 'receiver.example.', '*.receiver.example', "receiver'.example", `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}example`, '256.256.256.256', '1.2.3.4.5', '127.0.0.1.1', '0x100000000', '[::1', '::1', '[1.2.3.4]', '[::ffff:256.0.0.1]'
]

/** Complete URLs that are never allowed. */
export const forbiddenUrls = [
  'file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'ftp://127.0.0.1:PORT/', 'ftp://receiver.example/', 'gopher://127.0.0.1:PORT/_GET', 'dict://127.0.0.1:PORT/info', 'ldap://127.0.0.1:PORT/', 'ws://127.0.0.1:PORT/', 'wss://receiver.example/', 'data:text/plain,x', 'javascript:alert(1)', 'blob:https://receiver.example/x', 'unix:/run/postgresql/.s.PGSQL.5432', 'http+unix://%2Frun%2Fdocker.sock/', 'jar:https://receiver.example!/', 'view-source:https://receiver.example/', 'about:blank',
  'http://receiver.example/', 'http://receiver.example:443/', 'HTTP://RECEIVER.EXAMPLE/', 'http://1.1.1.1/',
  'https://user@receiver.example/', 'https://user:password@receiver.example/', 'https://:password@receiver.example/', 'https://receiver.example@127.0.0.1:PORT/', 'https://receiver.example%40127.0.0.1:PORT/', 'http://receiver.example:443@127.0.0.1:PORT/', 'https://127.0.0.1:PORT@receiver.example/', 'http://user@localhost:PORT/', 'http://[::1]@127.0.0.1:PORT/',
  'https://receiver.example/#', 'https://receiver.example/#fragment', 'http://127.0.0.1:PORT/#x', 'https://receiver.example#@127.0.0.1:PORT/', 'http://127.0.0.1:PORT#@receiver.example/',
  'https://receiver.example:0/', 'https://receiver.example:22/', 'https://receiver.example:25/', 'https://receiver.example:80/', 'https://receiver.example:5432/', 'https://receiver.example:6379/', 'https://receiver.example:8080/', 'https://receiver.example:65535/', 'https://receiver.example:65536/', 'https://receiver.example:-443/', 'https://receiver.example:４４/', 'https://1.1.1.1:53/', 'https://[2606:4700::1111]:53/',
  'https:receiver.example', 'https:/receiver.example', 'https:///receiver.example/', 'https:\\\\receiver.example\\', 'https://receiver.example\\@127.0.0.1:PORT/', 'http:127.0.0.1:PORT', 'http:///127.0.0.1:PORT/', 'http:\\\\127.0.0.1:PORT', '//127.0.0.1:PORT/', '/etc/passwd', '127.0.0.1:PORT', 'localhost:PORT', '?', '',
  ' http://127.0.0.1:PORT/', 'http://127.0.0.1:PORT/\n', 'http://127.\t0.0.1:PORT/', 'http://127.0.0.1\n:PORT/', 'http://127.0.0.1:PORT/\r\nhost: x', 'ht\ntp://127.0.0.1:PORT/', '\u0000http://127.0.0.1:PORT/', 'http://127.0.0.1:PORT/\u0085', 'http://127.0.0.1 :PORT/', 'http://127.0.0.1\u0000.receiver.example:PORT/', '\ufeffhttp://127.0.0.1:PORT/', 'http://127.0.0.1:PORT/\u2028',
  `http://127.0.0.1:PORT/${'x'.repeat(2048)}`, `https://receiver.example/?${'x'.repeat(2048)}`
]

/** Addresses that a public name may not have. */
export const forbiddenAddresses = [
  '0.0.0.0', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.0.0.2', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::ffff:0:a00:1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::', '3fff::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1'
]
