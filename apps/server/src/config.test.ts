import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ConfigError, readConfig } from './config.ts'
import { settings } from './settings/settings.ts'

/** A value of each setting other than the default, and what it is converted to. */
const examples: Record<keyof typeof settings, [text: string, value: unknown]> = {
  port: ['0', 0],
  host: ['::1', '::1'],
  publicUrl: ['https://tests.example.test/', 'https://tests.example.test'],
  dataDir: ['/srv/caseward', '/srv/caseward'],
  databaseUrl: ['postgres://u:p@h/d', 'postgres://u:p@h/d'],
  databasePassword: ['p%40s #', 'p%40s #'],
  databasePoolSize: ['20', 20],
  postgresSharedBuffersMb: ['512', 512],
  smtpUrl: ['smtp://u:p@mail.example.test:587', 'smtp://u:p@mail.example.test:587'],
  mailFrom: ['Tests <tests@example.test>', 'Tests <tests@example.test>'],
  adminEmail: ['b@c', 'b@c'],
  adminPassword: ['12345678', '12345678'],
  adminToken: ['x'.repeat(32), 'x'.repeat(32)],
  secretKey: ['x'.repeat(32), 'x'.repeat(32)],
  oidcIssuer: ['https://id.example.test', 'https://id.example.test'],
  oidcClientId: ['tests', 'tests'],
  oidcClientSecret: ['hush', 'hush'],
  oidcName: ['Acme', 'Acme'],
  oidcSessionHours: ['12', 12],
  oidcScopes: ['openid email groups', 'openid email groups'],
  oidcGroupsClaim: ['realm_access.roles', 'realm_access.roles'],
  oidcAdminGroup: ['admins', 'admins'],
  signIn: ['single-sign-on', 'single-sign-on'],
  rateLimit: ['1', 1],
  rateLimitOther: ['2', 2],
  rateLimitSignIn: ['3', 3],
  rateLimitInvalidTokens: ['4', 4],
  rateLimitFiles: ['5', 5],
  redisUrl: ['redis://u:p@cache.example.test:6379/0', 'redis://u:p@cache.example.test:6379/0'],
  auditRetentionDays: ['30', 30],
  runRetentionDays: ['365', 365],
  runFileRetentionDays: ['60', 60],
  testRetentionDays: ['90', 90],
  backupDir: ['/srv/backups', '/srv/backups'],
  backupEvery: ['6h', '6h'],
  backupKeep: ['30', 30],
  backupFiles: ['1', 1],
  filesDir: ['/srv/files', '/srv/files'],
  filesMinFreeMb: ['0', 0],
  filesStore: ['directory', 'directory'],
  filesOrigin: ['https://Files.example.test:443', 'https://files.example.test'],
  fileLimitMb: ['5120', 5120],
  fileDeleteDays: ['0', 0],
  s3BucketUrl: ['https://s3.example.test/caseward', 'https://s3.example.test/caseward'],
  s3Region: ['eu-central-1', 'eu-central-1'],
  s3AccessKeyId: ['key', 'key'],
  s3SecretAccessKey: ['hush', 'hush'],
  s3Prefix: ['tests/caseward/', 'tests/caseward/'],
  s3Redirect: ['1', 1],
  requestTimeoutSeconds: ['60', 60],
  bodyMemoryMb: ['512', 512],
  imageSources: ['https: https://wiki.example.test:8443', 'https: https://wiki.example.test:8443'],
  maxEventStreams: ['50', 50],
  allowShares: ['0', 0],
  trustProxy: ['2', 2],
  logLevel: ['silent', 'silent'],
  logRequests: ['errors', 'errors'],
  shutdownDelayMs: ['0', 0],
}

/** The directories that are used when none is set. */
const defaultDirectories: Record<string, string> = { dataDir: resolve('data'), filesDir: resolve('data/files') }

describe('readConfig', () => {
  it('returns the default of every setting that is unset or empty', () => {
    const unset = readConfig({})
    for (const [name, { default: fallback }] of Object.entries(settings)) {
      expect(unset).toHaveProperty(name, defaultDirectories[name] ?? fallback)
    }
    expect(readConfig({ PORT: '', HOST: '', DATABASE_URL: '' })).toEqual(unset)
  })

  it.each(Object.keys(settings) as (keyof typeof settings)[])('reads the setting %s', (name) => {
    const [text, value] = examples[name]
    const { env } = settings[name]
    const required = {
      PUBLIC_URL: 'https://tests.example.test',
      ADMIN_EMAIL: 'a@b',
      OIDC_ISSUER: 'https://login.example.test',
      OIDC_CLIENT_ID: 'caseward',
      OIDC_GROUPS_CLAIM: 'groups',
      BACKUP_DIR: '/srv/backups',
      S3_BUCKET_URL: 'https://s3.example.test/caseward',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig({ ...required, [env]: text })).toHaveProperty(name, value)
  })

  it('reports whether DATA_DIR is set', () => {
    expect(readConfig({})).toHaveProperty('dataDirIsDefault', true)
    expect(readConfig({ DATA_DIR: '/srv/caseward' })).toHaveProperty('dataDirIsDefault', false)
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
    ['LOG_REQUESTS', 'none'],
    ['SHUTDOWN_DELAY_MS', '2.5'],
    ['IMAGE_SOURCES', 'https://wiki.example.test/images'],
    ['IMAGE_SOURCES', "https://wiki.example.test; script-src 'unsafe-inline'"],
  ])('rejects %s=%s in one line that names the variable and contains no secret', (env, value) => {
    const read = () => readConfig({ ADMIN_EMAIL: 'a@b', [env]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${env} (?!.*secret)[^\\n]+$`))
  })

  it.each(['ADMIN_PASSWORD', 'ADMIN_TOKEN'])('rejects %s without ADMIN_EMAIL', (env) => {
    expect(() => readConfig({ [env]: 'x'.repeat(32) })).toThrow(/^ADMIN_EMAIL must be set/)
  })
})
