import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ConfigError, readConfig } from './config.ts'
import { settings } from './settings/settings.ts'

function getErrorMessage(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the settings are valid')
}

/** Invalid values of each setting. */
const invalidValues: Record<string, readonly string[]> = {
  PORT: ['-1', '65536', '80.5', 'http', '1e9', 'Infinity', ' '],
  HOST: [],
  PUBLIC_URL: ['example.test', 'ftp://example.test', 'http://', 'https://a b', 'http://[', 'javascript:alert(1)'],
  DATA_DIR: [],
  DATABASE_URL: ['mysql://u:hunter2@h/db', 'h/db?password=hunter2'],
  PGPASSWORD: [],
  DATABASE_POOL_SIZE: ['1', '0', '1001', 'many'],
  POSTGRES_SHARED_BUFFERS_MB: ['0', '15', '128MB'],
  SMTP_URL: ['http://u:hunter2@h', 'u:hunter2@h:587', 'smtp://u:hunter2@h:port'],
  MAIL_FROM: ['Caseward', '<a@b', 'a b@c', 'A <a@b>\nBcc: c@d'],
  ADMIN_EMAIL: [
    'admin',
    'a b@example.test',
    '@',
    'ad\u200bmin@example.test',
    'admin\u202e@example.test',
    `${'x'.repeat(320)}@example.test`,
  ],
  ADMIN_PASSWORD: ['hunter2', 'hunter2'.repeat(200)],
  ADMIN_TOKEN: [
    'hunter2',
    `hunter2 ${'x'.repeat(40)}`,
    `hunter2${'é'.repeat(40)}`,
    'hunter2'.repeat(80),
    `hunter2${'x'.repeat(40)}\n`,
  ],
  SECRET_KEY: ['hunter2', `hunter2 ${'x'.repeat(40)}`, 'hunter2'.repeat(80)],
  OIDC_ISSUER: ['login.example.test', 'ldap://login.example.test', 'http://login.example.test'],
  OIDC_CLIENT_ID: [],
  OIDC_CLIENT_SECRET: [],
  OIDC_NAME: [],
  OIDC_SESSION_HOURS: ['0', '2161', '1.5', '8h'],
  OIDC_SCOPES: ['email', 'openid  email', ' openid', 'openid\nemail'],
  OIDC_GROUPS_CLAIM: ['x'.repeat(256)],
  OIDC_ADMIN_GROUP: ['x'.repeat(256)],
  SIGN_IN: ['password', 'SINGLE-SIGN-ON', 'true'],
  RATE_LIMIT: ['0', '-5', '1.5', 'none', '1e10'],
  RATE_LIMIT_OTHER: ['0', 'x'],
  RATE_LIMIT_SIGN_IN: ['0', 'x'],
  RATE_LIMIT_INVALID_TOKENS: ['0', 'x'],
  RATE_LIMIT_FILES: ['0', 'x'],
  REDIS_URL: [
    'h:6379',
    'http://u:hunter2@h',
    'redis://',
    'redis:///0',
    'redis://:hunter2@/0',
    'redis://u:hunter2@h:port',
    'redis://u:hunter2@h/caseward',
    'redis://u:hunter2?@h',
    'redis://u:1#hunter2@h',
    'redis://u:hunter2/@h',
    'redis://u:hunter2%@h',
    'redis://u:hunter2%ff@h',
    'redis://u:hunter2@h/0?password=hunter2',
    'redis://u:hunter 2@h',
  ],
  AUDIT_RETENTION_DAYS: ['0', '-1', '1.5', '36501', 'never'],
  RUN_RETENTION_DAYS: ['0', '-1', '1.5', '36501', 'never'],
  RUN_FILE_RETENTION_DAYS: ['0', '3651', 'never'],
  TEST_RETENTION_DAYS: ['0', 'never'],
  BACKUP_DIR: [],
  BACKUP_EVERY: ['2d', 'daily', '1D', '0 * * * *'],
  BACKUP_KEEP: ['0', '1.5', '10001', 'all'],
  BACKUP_FILES: ['yes', '2', 'all'],
  FILES_DIR: [],
  FILES_STORE: ['S3', 'bucket'],
  FILES_ORIGIN: [
    'files.example.test',
    'https://files.example.test/',
    'https://files.example.test/a',
    'https://u@files.example.test',
  ],
  FILES_MIN_FREE_MB: ['-1', '1.5', '1GB'],
  FILE_LIMIT_MB: ['0', '5121', '1.5', 'all'],
  FILE_DELETE_DAYS: ['-1', '1.5', '3651', 'never'],
  S3_BUCKET_URL: [
    's3.example.test/bucket',
    's3://bucket',
    'https://s3.example.test',
    'https://s3.example.test/',
    'https://s3.example.test/bucket/',
    'https://u:hunter2@s3.example.test/bucket',
    'https://s3.example.test/bucket?a=b',
  ],
  S3_REGION: ['eu west', 'eu/west'],
  S3_ACCESS_KEY_ID: ['hunter2 hunter2'],
  S3_SECRET_ACCESS_KEY: ['hunter2\n'],
  S3_PREFIX: ['caseward', '/caseward/', 'a//', 'ä/'],
  S3_REDIRECT: ['yes', '2', '-1', 'off'],
  REQUEST_TIMEOUT: ['0', '3601', '5s'],
  BODY_MEMORY_MB: ['0', '1.5', '256MB'],
  MAX_EVENT_STREAMS: ['-1', '1.5', 'many'],
  IMAGE_SOURCES: [
    'wiki.example.test',
    'ftp://wiki.example.test',
    'https://wiki.example.test/images',
    'https:; script-src *',
  ],
  ALLOW_SHARES: ['yes', '2', '-1', 'off'],
  TRUST_PROXY: ['yes', 'TRUE!', '-1', '1.5', '101', 'constructor'],
  LOG_LEVEL: ['verbose', 'INFO', 'all\nand more'],
  LOG_REQUESTS: ['none', 'ALL', 'true'],
  SHUTDOWN_DELAY_MS: ['-1', '2.5', '2s', '300001'],
}

describe('readConfig', () => {
  it('returns the defaults for unset and for empty variables', () => {
    const empty = Object.fromEntries(Object.values(settings).map(({ env }) => [env, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
    expect(readConfig({})).toMatchObject({ port: 3000, host: '127.0.0.1', rateLimit: 60, rateLimitOther: 600 })
  })

  it('accepts the defaults as values', () => {
    const defaults = Object.values(settings).filter((setting) => setting.default !== null)
    const env = Object.fromEntries(defaults.map((setting) => [setting.env, String(setting.default)]))
    expect(readConfig(env)).toEqual({ ...readConfig({}), dataDirIsDefault: false })
  })

  it('is tested with invalid values of every setting', () => {
    expect(Object.keys(invalidValues)).toEqual(Object.values(settings).map(({ env }) => env))
  })

  it.each(Object.entries(invalidValues).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'rejects %s=%j in one line that names the variable',
    (name, value) => {
      const message = getErrorMessage({ ADMIN_EMAIL: 'admin@example.test', [name]: value })
      expect(message).toMatch(new RegExp(`^${name} must .+$`))
      expect(message).not.toContain('\n')
      expect(message).not.toContain('undefined')
    },
  )

  const secrets = Object.values<{ env: string; isSecret?: boolean }>(settings).filter(
    ({ isSecret }) => isSecret === true,
  )
  it.each(secrets.map(({ env }) => env))('never shows the value of %s', (name) => {
    for (const value of invalidValues[name] ?? []) {
      expect(getErrorMessage({ ADMIN_EMAIL: 'admin@example.test', [name]: value })).not.toContain('hunter2')
    }
  })

  it('shows the invalid value of a setting that is not secret', () => {
    expect(getErrorMessage({ PORT: 'http' })).toContain('"http"')
  })

  it('lists the allowed values', () => {
    expect(getErrorMessage({ LOG_LEVEL: 'verbose' })).toContain('debug')
  })

  it.each([[{ ADMIN_PASSWORD: 'long enough' }], [{ ADMIN_TOKEN: 'x'.repeat(32) }]])(
    'rejects %j without ADMIN_EMAIL',
    (env) => {
      expect(getErrorMessage(env)).toContain('ADMIN_EMAIL')
    },
  )

  it.each(['S3_BUCKET_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('rejects S3 settings without %s', (name) => {
    const env = { S3_BUCKET_URL: 'https://s3.example.test/b', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(readConfig(env)).toMatchObject({ s3BucketUrl: 'https://s3.example.test/b', s3Prefix: '' })
    const message = 'S3_BUCKET_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together'
    expect(getErrorMessage({ ...env, [name]: '' })).toBe(message)
  })

  const files = { PUBLIC_URL: 'https://tests.example.test', FILES_ORIGIN: 'https://files.example.test' }
  it.each([
    [{ FILES_STORE: 's3' }, 'FILES_STORE=s3 requires S3_BUCKET_URL'],
    [{ S3_REDIRECT: 'true' }, 'S3_REDIRECT requires S3_BUCKET_URL'],
    [{ BACKUP_FILES: '1' }, 'BACKUP_FILES requires BACKUP_DIR'],
    [{ BACKUP_FILES: '1', BACKUP_DIR: '/srv', DATA_DIR: '/srv' }, 'choose another BACKUP_DIR'],
    [{ FILES_ORIGIN: files.FILES_ORIGIN }, 'FILES_ORIGIN requires PUBLIC_URL'],
    [{ ...files, FILES_ORIGIN: 'https://tests.example.test:8443' }, 'another host name than PUBLIC_URL'],
    [{ ...files, FILES_ORIGIN: 'http://files.example.test' }, 'must start with https://'],
    [{ ...files, DATABASE_URL: 'postgres://u:p@h/d' }, 'FILES_ORIGIN requires SECRET_KEY'],
  ])('rejects %j', (env, message) => {
    expect(getErrorMessage(env)).toContain(message)
  })

  it('takes FILES_DIR from DATA_DIR unless it is set', () => {
    expect(readConfig({ DATA_DIR: '/srv/caseward' }).filesDir).toBe('/srv/caseward/files')
    expect(readConfig({ DATA_DIR: '/srv/caseward', FILES_DIR: '/mnt/files' }).filesDir).toBe('/mnt/files')
  })

  it('rejects OIDC_ADMIN_GROUP without OIDC_GROUPS_CLAIM', () => {
    expect(getErrorMessage({ OIDC_ADMIN_GROUP: 'admins' })).toBe('OIDC_ADMIN_GROUP requires OIDC_GROUPS_CLAIM')
  })

  it('rejects SIGN_IN=single-sign-on without a provider', () => {
    const message = 'SIGN_IN=single-sign-on requires OIDC_ISSUER and OIDC_CLIENT_ID'
    expect(getErrorMessage({ SIGN_IN: 'single-sign-on' })).toBe(message)
  })

  it.each([
    'postgres://u:p@db.example.test:5432/caseward?sslmode=require',
    'postgresql://u@/caseward?host=/var/run/postgresql',
    'postgres://u:p%40ss%23@10.0.0.1/caseward',
    'postgres://u:p@[::1]:5432/caseward',
  ])('accepts the DATABASE_URL %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it.each([
    'redis://localhost',
    'redis://localhost:6379/',
    'rediss://user:p%40ss%23@redis.example.test:6380/12',
    'redis://:password@[::1]:6379',
  ])('accepts the REDIS_URL %s', (url) => {
    expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url)
  })

  it('removes the trailing slash of PUBLIC_URL', () => {
    expect(readConfig({ PUBLIC_URL: 'https://tests.example.test/' }).publicUrl).toBe('https://tests.example.test')
  })

  it('makes DATA_DIR absolute and reports whether it is set', () => {
    expect(readConfig({})).toMatchObject({ dataDir: resolve('data'), dataDirIsDefault: true })
    expect(readConfig({ DATA_DIR: '/srv/caseward' })).toMatchObject({
      dataDir: '/srv/caseward',
      dataDirIsDefault: false,
    })
  })

  it('converts numbers', () => {
    expect(readConfig({ PORT: '0', RATE_LIMIT: '120' })).toMatchObject({ port: 0, rateLimit: 120 })
  })

  it.each([
    ['true', 1],
    ['false', 0],
    ['1', 1],
    ['3', 3],
  ])('converts TRUST_PROXY=%s to %s proxies', (TRUST_PROXY, count) => {
    expect(readConfig({ TRUST_PROXY }).trustProxy).toBe(count)
  })
})
