import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { insideReceiversOf } from '../settings/webhook-settings.ts'
import { findAddresses } from './find-addresses.ts'

const answering = (answers: Record<string, string[]>) => async (name: string) =>
  (answers[name] ?? []).map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }))

const find = (url: string, answers: Record<string, string[]> = {}, inside = '') =>
  findAddresses(url, {
    inside: insideReceiversOf({ WEBHOOK_INSIDE: inside }),
    resolve: answering(answers),
  })

describe('a webhook goes to', () => {
  it.each([
    ['https://hooks.example/a?b=c', ['93.184.216.34', '2606:2800:220:1::1']],
    ['https://hooks.example:8443/', ['93.184.216.34']],
    ['https://hooks.example:443/', ['93.184.216.34']],
    ['https://hooks.example./', ['93.184.216.34']],
  ])('%s', async (url, addresses) => {
    const found = await find(url, { 'hooks.example': addresses })
    expect(found.map(({ address }) => address)).toEqual(addresses)
  })

  it('an address itself', async () => {
    expect(await find('https://8.8.8.8/')).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await find('https://[2606:4700::1]/')).toEqual([{ address: '2606:4700::1', family: 6 }])
  })
})

describe('a webhook does not go to', () => {
  const reached = { 'hooks.example': ['93.184.216.34'] }
  it.each([
    ['no address', 'must be a URL such as'],
    ['ftp://hooks.example/', 'must be a URL such as'],
    ['file:///etc/passwd', 'must be a URL such as'],
    ['http://hooks.example/', 'must start with https://'],
    ['https://hooks.example:8080/', 'must use port 443 or 8443'],
    ['https://hooks.example:22/', 'must use port 443 or 8443'],
    ['https://ann@hooks.example/', 'must not contain a user name or password'],
    ['https://:secret@hooks.example/', 'must not contain a user name or password'],
    ['https://nowhere.example/', 'has an unknown host name'],
  ])('%s', async (url, words) => {
    await expect(find(url, reached)).rejects.toThrow(words)
  })

  const insideAddresses = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ]
  it.each(insideAddresses)('%s, by a name or by itself', async (address) => {
    const words = 'is in a private network'
    await expect(find('https://a.example/', { 'a.example': [address] })).rejects.toThrow(words)
    const host = address.includes(':') ? `[${address}]` : address
    await expect(find(`https://${host}/`)).rejects.toThrow(words)
  })

  it.each(insideAddresses)('a name of which one address is %s', async (address) => {
    const answers = { 'a.example': ['93.184.216.34', address] }
    await expect(find('https://a.example/', answers)).rejects.toThrow('is in a private network')
  })

  it.each(['https://0x7f.1/', 'https://2130706433/', 'https://127.1/', 'https://0177.0.0.1/'])(
    '%s, however it is written',
    async (url) => {
      await expect(find(url)).rejects.toThrow('is in a private network')
    },
  )
})

describe('an allowed internal receiver', () => {
  it.each([
    ['a.internal', 'http://a.internal:8080/', ['10.0.0.9']],
    ['A.Internal', 'http://a.internal:8080/', ['10.0.0.9']],
    ['10.0.0.0/8', 'http://a.internal/', ['10.0.0.9']],
    ['127.0.0.1', 'http://127.0.0.1:3000/', []],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]:3000/', []],
    ['fd00::/8, 10.0.0.9', 'https://a.internal:9000/', ['fd00::1', '10.0.0.9']],
    ['[::1]', 'http://[::1]/', []],
    ['10.0.0.9', 'https://a.internal/', ['10.0.0.9', '93.184.216.34']],
  ])('%s lets %s be reached', async (inside, url, addresses) => {
    await expect(find(url, { 'a.internal': addresses }, inside)).resolves.not.toEqual([])
  })

  it.each([
    ['a.internal', 'http://b.internal/', ['10.0.0.9'], 'must start with https://'],
    ['a.internal', 'https://x.a.internal/', ['10.0.0.9'], 'is in a private network'],
    ['10.0.0.0/8', 'https://b.internal/', ['11.0.0.9', '192.168.0.1'], 'is in a private network'],
    ['10.0.0.0/8', 'http://b.internal/', ['10.0.0.9', '93.184.216.34'], 'must start with https://'],
    ['a.internal', 'http://ann@a.internal/', ['10.0.0.9'], 'must not contain a user name'],
  ])('%s does not let %s be reached', async (inside, url, addresses, words) => {
    const { hostname } = new URL(url)
    await expect(find(url, { [hostname]: addresses }, inside)).rejects.toThrow(words)
  })
})
