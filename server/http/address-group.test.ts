import { expect, it } from 'vitest'
import { addressGroup } from './address-group.ts'

it.each([
  ['192.168.0.7', '192.168.0.7'],
  ['::ffff:192.168.0.7', '192.168.0.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s belongs to %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})
