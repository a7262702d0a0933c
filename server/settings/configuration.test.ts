import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

describe('invalid settings are named', () => {
  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['SAMPLE_DATA', 'yes'],
    ['ALLOWED_HOSTS', 'https://land.example'],
    ['ALLOWED_HOSTS', 'land.example:80'],
    ['ALLOWED_HOSTS', 'a,b c'],
    ['ALLOWED_HOSTS', '*'],
    ['DATABASE_URL', 'mysql://localhost/poa'],
    ['DATABASE_URL', 'postgres://['],
    ['DEFAULT_MAP_ID', 'Not A Slug'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '-1'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['TILE_WORKERS', '0'],
    ['BASE_MAP_STREET_URL', 'https://tiles.example/{z}/{x}'],
    ['BASE_MAP_STREET_URL', 'county.mbtiles'],
    ['BASE_MAP_STREET_URL', '../county.pmtiles'],
    ['BASE_MAP_STREET_URL', 'maps/../../county.pmtiles'],
    ['BASE_MAP_STREET_URL', '/srv/county.pmtiles'],
    ['BASE_MAP_STREET_URL', 'file:///srv/county.pmtiles'],
    ['BASE_MAP_STREET_DARK_URL', 'off'],
    ['BASE_MAP_HOSTS', 'tiles.example'],
    ['BASE_MAP_HOSTS', 'https://tiles.example/a'],
    ['BASE_MAP_LABELS_URL', 'ftp://tiles.example/{z}/{x}/{y}'],
    ['BASE_MAP_SATELLITE_URL', 'http://[/{z}/{x}/{y}'],
    ['BASE_MAP_TERRAIN_MAX_ZOOM', 'deep'],
    ['FILE_STORE_URL', 'https://s3.example.org'],
    ['FILE_STORE_URL', 'https://s3.example.org/poa/files'],
    ['FILE_STORE_URL', 's3://poa-files'],
    ['FILE_STORE_SECRET', 'of no store'],
    ['WEBHOOK_INSIDE', 'https://hooks.internal'],
    ['WEBHOOK_INSIDE', 'hooks.internal:80'],
    ['WEBHOOK_INSIDE', 'hooks.internal, *'],
    ['WEBHOOK_INSIDE', '10.0.0.0/33'],
    ['WEBHOOK_INSIDE', '10.0.0'],
    ['OIDC_ISSUER', 'login.example'],
    ['OIDC_ISSUER', 'ftp://login.example'],
    ['OIDC_CLIENT_AUTHENTICATION', 'none'],
    ['OIDC_SCOPE', 'profile email'],
    ['SMTP_URL', 'mail.example.org'],
    ['MAIL_FROM', 'land@example.org'],
    ['MAIL_FROM', 'Land'],
    ['MAIL_BOUNCES', 'on'],
    ['MAIL_BOUNCES', 'yes'],
    ['MAIL_BOUNCES_SECRET', 'a-long-random-word'],
    ['MAIL_DKIM_SELECTOR', 'mail2026'],
    ['OPERATORS_EMAIL', 'office@example.org'],
    ['OPERATORS_EMAIL', 'office@example.org;board@example.org'],
  ])('%s=%s', (setting, value) => {
    expect(() => readConfiguration({ [setting]: value })).toThrow(
      new RegExp(`^Invalid settings:\\n  ${setting}: \\S[^\\n]*$`),
    )
  })

  it('all at once', () => {
    expect(() => readConfiguration({ PORT: 'a', TILE_WORKERS: 'b' })).toThrow(/PORT[^\n]*\n.*TILE_WORKERS/)
  })
})

it.each([
  ['postgres://poa@db/poa', 'postgres://poa@db/poa?password=a%26b'],
  ['postgres:///poa?host=/run', 'postgres:///poa?host=/run&password=a%26b'],
  ['postgres://poa:own@db/poa', 'postgres://poa:own@db/poa'],
  ['postgres://db/poa?password=own', 'postgres://db/poa?password=own'],
])('adds PGPASSWORD to %s if it has no password', (url, complete) => {
  expect(readConfiguration({ DATABASE_URL: url, PGPASSWORD: 'a&b' }).databaseUrl).toBe(complete)
})

it('ignores a blank setting', () => {
  const names = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'SAMPLE_DATA', 'DEFAULT_MAP_ID', 'LOG_LEVEL']
  const more = [
    'TRUSTED_PROXIES',
    'RATE_LIMIT_PER_MINUTE',
    'TILE_WORKERS',
    'BASE_MAP_STREET_URL',
    'BASE_MAP_STREET_MAX_ZOOM',
  ]
  const blank = Object.fromEntries([...names, ...more].map((name) => [name, '']))
  expect(readConfiguration(blank)).toEqual(readConfiguration({}))
})

it.each<[settings: Record<string, string>, publicUrl: string]>([
  [{}, 'http://localhost:3000'],
  [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://localhost:8080'],
  [{ HOST: '::' }, 'http://localhost:3000'],
  [{ HOST: '192.168.0.7' }, 'http://192.168.0.7:3000'],
  [{ HOST: 'fd00::7' }, 'http://[fd00::7]:3000'],
  [{ HOST: '192.168.0.7', PUBLIC_URL: 'https://land.example/' }, 'https://land.example'],
])('defaults the public URL to the listening address: %j', (settings, publicUrl) => {
  expect(readConfiguration(settings).publicUrl).toBe(publicUrl)
})

it.each([
  'postgres://a:b@c:5433/d',
  'postgresql://c/d?sslmode=require',
  'postgres:///d',
  'postgres://a@/d?host=/tmp',
])('accepts the address of a database: %s', (url) => {
  expect(readConfiguration({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

describe('an S3 store', () => {
  const given = {
    FILE_STORE_URL: 'https://s3.example.org/poa-files/',
    FILE_STORE_KEY_ID: 'id',
    FILE_STORE_SECRET: 'secret',
  }

  it('is off without an address', () => {
    expect(readConfiguration({}).fileStore).toBe(null)
    expect(readConfiguration(given).fileStore).toEqual({
      url: 'https://s3.example.org/poa-files',
      region: 'us-east-1',
      keyId: 'id',
      secret: 'secret',
    })
  })

  it.each([
    [{ FILE_STORE_KEY_ID: '' }, /FILE_STORE_KEY_ID: is required with FILE_STORE_URL/],
    [{ FILE_STORE_SECRET: '' }, /FILE_STORE_SECRET: or FILE_STORE_SECRET_FILE is required/],
    [{ FILE_STORE_SECRET_FILE: 'package.json' }, /FILE_STORE_SECRET: cannot be combined/],
    [
      { FILE_STORE_SECRET: '', FILE_STORE_SECRET_FILE: '/nowhere' },
      /FILE_STORE_SECRET_FILE: \/nowhere cannot be read/,
    ],
  ])('needs a key and its secret: %j', (wrong, words) => {
    expect(() => readConfiguration({ ...given, ...wrong })).toThrow(words)
  })
})
