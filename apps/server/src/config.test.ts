import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ConfigError, readConfig, settings } from './config.ts'

describe('readConfig', () => {
  it('gives every setting its default where it is unset or empty', () => {
    const unset = readConfig({})
    for (const [name, { default: fallback }] of Object.entries(settings)) {
      expect(unset).toHaveProperty(name, name === 'dataDir' ? resolve('data') : fallback)
    }
    expect(readConfig({ PORT: '', HOST: '', DATABASE_URL: '' })).toEqual(unset)
  })

  it('reads every setting', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '::1',
        PUBLIC_URL: 'https://tests.example.test',
        DATA_DIR: '/srv/casebook',
        DATABASE_URL: 'postgres://u:p@h/d',
        DATABASE_POOL_SIZE: '20',
        ADMIN_EMAIL: 'a@b',
        ADMIN_PASSWORD: '12345678',
        ADMIN_TOKEN: 'x'.repeat(32),
        RATE_LIMIT: '1',
        RATE_LIMIT_OTHER: '2',
        TRUST_PROXY: '2',
        LOG_LEVEL: 'silent',
      }),
    ).toMatchObject({
      port: 0,
      host: '::1',
      publicUrl: 'https://tests.example.test',
      dataDir: '/srv/casebook',
      dataDirIsDefault: false,
      databaseUrl: 'postgres://u:p@h/d',
      databasePoolSize: 20,
      adminEmail: 'a@b',
      adminPassword: '12345678',
      adminToken: 'x'.repeat(32),
      rateLimit: 1,
      rateLimitOther: 2,
      trustProxy: 2,
      logLevel: 'silent',
    })
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'example.test'],
    ['DATABASE_URL', 'mysql://u:secret@h/d'],
    ['DATABASE_POOL_SIZE', '1'],
    ['ADMIN_EMAIL', 'nobody'],
    ['ADMIN_PASSWORD', 'secret'],
    ['ADMIN_TOKEN', 'secret'],
    ['ADMIN_TOKEN', 'secret with spaces in it, and long'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT_OTHER', '1.5'],
    ['TRUST_PROXY', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line that names the setting and shows no secret', (env, value) => {
    const read = () => readConfig({ ADMIN_EMAIL: 'a@b', [env]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${env} (?!.*secret)[^\\n]+$`))
  })

  it.each(['ADMIN_PASSWORD', 'ADMIN_TOKEN'])('refuses %s without ADMIN_EMAIL', (env) => {
    expect(() => readConfig({ [env]: 'x'.repeat(32) })).toThrow(/^ADMIN_EMAIL must be set/)
  })
})
