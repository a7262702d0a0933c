import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { isLoopback } from './host-names.ts'

const folder = mkdtempSync(join(tmpdir(), 'poa-secret-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (text: string) => {
  const path = join(folder, `secret-${text.length}`)
  writeFileSync(path, text)
  return path
}

const provider = { OIDC_ISSUER: 'https://login.example/realms/land', OIDC_CLIENT_ID: 'land' }
const identityOf = (settings: Record<string, string>) => readConfiguration(settings).identity

describe('contradictory sign-in settings', () => {
  it.each<[settings: Record<string, string>, setting: string, message: string]>([
    [{ OIDC_ISSUER: 'https://login.example' }, 'OIDC_CLIENT_ID', 'is required with OIDC_ISSUER'],
    [{ OIDC_CLIENT_ID: 'land' }, 'OIDC_CLIENT_ID', 'requires OIDC_ISSUER'],
    [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_CLIENT_SECRET', 'requires OIDC_ISSUER'],
    [{ OIDC_CLIENT_SECRET_FILE: '/x' }, 'OIDC_CLIENT_SECRET_FILE', 'requires OIDC_ISSUER'],
    [{ OIDC_ROLES_CLAIM: 'roles' }, 'OIDC_ROLES_CLAIM', 'requires OIDC_ISSUER'],
    [
      { ...provider, OIDC_CLIENT_SECRET: 'a', OIDC_CLIENT_SECRET_FILE: '/x' },
      'OIDC_CLIENT_SECRET',
      'cannot be combined',
    ],
    [{ ...provider, OIDC_ISSUER: 'http://login.example' }, 'OIDC_ISSUER', 'https'],
    [{ ...provider, OIDC_ISSUER: 'http://localhost.example' }, 'OIDC_ISSUER', 'https'],
    [{ ...provider, OIDC_ISSUER: 'https://login.example?a=1' }, 'OIDC_ISSUER', 'must not contain'],
    [{ ...provider, NODE_ENV: 'production ' }, 'PUBLIC_URL', 'is required with OIDC_ISSUER'],
    [{ ...provider, OIDC_CLIENT_SECRET_FILE: '/not/there' }, 'OIDC_CLIENT_SECRET_FILE', 'ENOENT'],
    [{ ...provider, OIDC_CLIENT_SECRET_FILE: file(' \n') }, 'OIDC_CLIENT_SECRET_FILE', 'empty'],
  ])('%j', (settings, setting, message) => {
    expect(() => readConfiguration(settings)).toThrow(
      new RegExp(`^Invalid settings:\n  ${setting}: .*${message}`),
    )
  })
})

describe('the identity provider', () => {
  it('is the configured one', () => {
    expect(identityOf({ ...provider, OIDC_CLIENT_SECRET: 'secret', OIDC_ROLES_CLAIM: 'roles' })).toEqual({
      kind: 'oidc',
      issuer: 'https://login.example/realms/land',
      clientId: 'land',
      clientSecret: 'secret',
      clientAuthentication: 'client_secret_basic',
      scope: 'openid profile email',
      rolesClaim: 'roles',
    })
  })

  it('reads its secret from a file, and trims it', () => {
    expect(identityOf({ ...provider, OIDC_CLIENT_SECRET_FILE: file(' s e c\r\n') })).toMatchObject({
      clientSecret: 's e c',
    })
  })

  it.each<Record<string, string>>([
    {},
    { PORT: '8080', NODE_ENV: 'development' },
    { PUBLIC_URL: 'http://127.0.0.1:8080' },
    { PUBLIC_URL: 'https://localhost' },
    { PORT: '0', PUBLIC_URL: 'http://localhost:3000' },
    { HOST: 'localhost' },
    { HOST: '::1' },
  ])('is the demo provider on this machine: %j', (settings) => {
    expect(identityOf(settings)).toEqual({ kind: 'demo' })
  })

  it.each<[settings: Record<string, string>, setting: string]>([
    [{ NODE_ENV: 'production' }, 'NODE_ENV'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV'],
    [{ NODE_ENV: ' PRODUCTION ' }, 'NODE_ENV'],
    [{ HOST: '0.0.0.0' }, 'HOST'],
    [{ HOST: '::', PUBLIC_URL: 'http://localhost:3000' }, 'HOST'],
    [{ HOST: '192.168.0.7' }, 'HOST'],
    [{ PUBLIC_URL: 'http://192.168.0.7:3000' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://land.example' }, 'PUBLIC_URL'],
    [{ PORT: '0' }, 'PORT'],
  ])('is off if others could reach the demo provider, with the reason: %j', (settings, why) => {
    expect(identityOf(settings)).toEqual({ kind: 'none', why: expect.stringContaining(why) })
  })
})

it.each<[url: string, expected: boolean]>([
  ['http://localhost', true],
  ['http://land.localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['http://0.0.0.0', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://evil-localhost', false],
  ['http://[::2]', false],
])('%s is a loopback address: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected)
})
