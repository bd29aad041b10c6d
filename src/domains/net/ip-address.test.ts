import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKind, canBeOpened } from './ip-address.js'

describe('addressKind', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['2606:4700::1', 'public'],
    ['2a00:1450:4001::200e', 'public'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.255.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['::10.0.0.1', 'private'],
    ['64:ff9b::192.168.1.1', 'private'],
    ['2002:c0a8:101::1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['0.0.0.0', 'special'],
    ['::', 'special'],
    ['224.0.0.1', 'special'],
    ['255.255.255.255', 'special'],
    ['ff02::1', 'special'],
    ['198.18.0.1', 'special'],
    ['192.0.2.7', 'special'],
    ['2001:db8::1', 'special'],
    ['2001::1', 'special'],
    ['64:ff9b:1::8.8.8.8', 'special'],
    ['4000::1', 'special'],
    ['example.org', 'special'],
    ['', 'special'],
  ])('%s is %s', (ip, kind) => {
    expect(addressKind(ip)).toBe(kind)
  })

  it('judges an IPv6 address that stands for an IPv4 one as that one, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const v6 of [`::ffff:${ip}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`])
          expect(addressKind(v6), v6).toBe(addressKind(ip))
      }),
    )
  })

  it('never takes an address outside of global unicast for public', () => {
    const first = fc.oneof(fc.integer({ min: 1, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }))
    const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(
        first.filter((w) => w !== 0x64),
        rest,
        (head, words) => {
          expect(addressKind([head, ...words].map((w) => w.toString(16)).join(':'))).not.toBe('public')
        },
      ),
    )
  })
})

describe('canBeOpened', () => {
  it('opens homes, not what only cloud machines have', () => {
    expect(['192.168.1.5', '127.0.0.1', '10.0.0.1', '::1', 'fd12::1'].filter((ip) => !canBeOpened(ip))).toEqual([])
    const closed = ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '224.0.0.1', '0.0.0.0', 'fe80::1', '8.8.8.8']
    expect(closed.filter(canBeOpened)).toEqual([])
  })
})
