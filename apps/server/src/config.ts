import { join, resolve } from 'node:path'

import { MAX_RUN_FILES_DAYS } from '@caseward/contract/run-settings'
import { EMAIL_PATTERN } from '@caseward/contract/schemas'
import { Ajv } from 'ajv'
import { Type, type Static, type TSchema } from 'typebox'

import { isProtectedUrl } from './platform/http/is-protected-url.ts'
import { BACKUP_SCHEDULES } from './platform/backup/backup-schedules.ts'
import { isVisibleText } from './platform/http/text-formats.ts'
import { getFileVariable, readSecretFile } from './secret-files.ts'

interface Setting<S extends TSchema, D> {
  /** The environment variable. */
  env: string
  schema: S
  default: D
  doc: string
  /** Other spellings of values, such as `true` for `1`. */
  aliases?: ReadonlyMap<string, string>
  /** A secret value is never shown in messages or logs, and can be read from a file that `<env>_FILE` names. */
  isSecret?: boolean
}

const defineSetting = <S extends TSchema, const D extends Static<S> | null>(definition: Setting<S, D>): Setting<S, D> =>
  definition

const port = Type.Integer({ minimum: 0, maximum: 65_535 })
const url = Type.String({ pattern: '^https?://[^\\s]+$', format: 'url', description: 'an http:// or https:// URL' })
const formatList = (values: readonly string[]) =>
  `${values
    .slice(0, -1)
    .map((value) => `\`${value}\``)
    .join(', ')} or \`${values.at(-1)}\``
const booleanAliases = new Map([
  ['true', '1'],
  ['false', '0'],
])
const perMinute = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** All settings. The table in the README is generated from them (`npm run generated`). */
export const settings = {
  port: defineSetting({ env: 'PORT', schema: port, default: 3000, doc: 'Port to listen on; `0` chooses a free port.' }),
  host: defineSetting({
    env: 'HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    doc: 'Address to listen on; `0.0.0.0` listens on all addresses.',
  }),
  publicUrl: defineSetting({
    env: 'PUBLIC_URL',
    schema: url,
    default: null,
    doc: 'Public URL of the service, used in links; `http://localhost:PORT` when unset.',
  }),
  dataDir: defineSetting({
    env: 'DATA_DIR',
    schema: Type.String({ minLength: 1 }),
    default: 'data',
    doc: 'Directory of the embedded database and of all other files.',
  }),
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    schema: Type.String({ pattern: '^postgres(ql)?://', description: 'a postgres:// URL' }),
    default: null,
    doc: 'URL of a PostgreSQL database, version 15 or later, to use instead of the embedded one.',
    isSecret: true,
  }),
  databasePassword: defineSetting({
    env: 'PGPASSWORD',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Password of the database, as it is, if `DATABASE_URL` contains none.',
    isSecret: true,
  }),
  databasePoolSize: defineSetting({
    env: 'DATABASE_POOL_SIZE',
    schema: Type.Integer({ minimum: 2, maximum: 1000 }),
    default: 10,
    doc: 'Maximum number of database connections for requests; jobs use two more, and event streams one.',
  }),
  postgresSharedBuffersMb: defineSetting({
    env: 'POSTGRES_SHARED_BUFFERS_MB',
    schema: Type.Integer({ minimum: 16, maximum: 1_000_000 }),
    default: null,
    doc: 'Size in MB of the cache of the embedded PostgreSQL (`shared_buffers`); when unset, an eighth of the memory of the machine or container, from 32 to 2048.',
  }),
  smtpUrl: defineSetting({
    env: 'SMTP_URL',
    schema: Type.String({
      pattern: '^smtps?://[^\\s]+$',
      format: 'url',
      description: 'an smtp:// or smtps:// URL',
    }),
    default: null,
    doc: 'Mail server, `smtp://user:password@host:587`; when unset, emails are written to `DATA_DIR/outbox`.',
    isSecret: true,
  }),
  mailFrom: defineSetting({
    env: 'MAIL_FROM',
    schema: Type.String({
      pattern: '^(?:[^\\s@<>]+@[^\\s@<>]+|[^<>\\x00-\\x1f]+ <[^\\s@<>]+@[^\\s@<>]+>)$',
      description: 'an email address, optionally with a name: Caseward <caseward@example.com>',
    }),
    default: 'Caseward <caseward@localhost>',
    doc: 'Sender of emails.',
  }),
  adminEmail: defineSetting({
    env: 'ADMIN_EMAIL',
    schema: Type.String({
      pattern: EMAIL_PATTERN,
      format: 'idn-email',
      maxLength: 320,
      description: 'an email address without invisible characters',
    }),
    default: null,
    doc: 'Email address of the first user, who is created when no user exists; requires `ADMIN_PASSWORD`, `ADMIN_TOKEN` or both, unless `SIGN_IN` is `single-sign-on`.',
  }),
  adminPassword: defineSetting({
    env: 'ADMIN_PASSWORD',
    schema: Type.String({ minLength: 8, maxLength: 1024, description: 'at least 8 characters' }),
    default: null,
    doc: 'Password of the first user. The first start fails if it is easy to guess.',
    isSecret: true,
  }),
  adminToken: defineSetting({
    env: 'ADMIN_TOKEN',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{32,512}$', description: 'at least 32 characters without spaces' }),
    default: null,
    doc: 'Personal token of the first user, with write access; at least 32 characters. A new value replaces it at the next start.',
    isSecret: true,
  }),
  secretKey: defineSetting({
    env: 'SECRET_KEY',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{32,512}$', description: 'at least 32 characters without spaces' }),
    default: null,
    doc: 'Key that encrypts the secrets of authenticator apps in the database; at least 32 random characters, the same on all servers. When unset, the embedded database uses a key in `DATA_DIR/secret.key`; with `DATABASE_URL`, authenticator apps cannot be set up.',
    isSecret: true,
  }),
  oidcIssuer: defineSetting({
    env: 'OIDC_ISSUER',
    schema: url,
    default: null,
    doc: 'Issuer URL of the OpenID Connect provider, `https://login.example.com`; `http://` only for this machine; it must return verified email addresses (`email_verified`).',
  }),
  oidcClientId: defineSetting({
    env: 'OIDC_CLIENT_ID',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Client id of Caseward at the provider; register the redirect URL `PUBLIC_URL/sign-in/oidc/callback` there.',
  }),
  oidcClientSecret: defineSetting({
    env: 'OIDC_CLIENT_SECRET',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Client secret of Caseward at the provider, if it requires one.',
    isSecret: true,
  }),
  oidcName: defineSetting({
    env: 'OIDC_NAME',
    schema: Type.String({ minLength: 1, maxLength: 80, description: 'at most 80 characters' }),
    default: 'single sign-on',
    doc: 'Name of the provider on the sign-in page: “Sign in with …”.',
  }),
  oidcSessionHours: defineSetting({
    env: 'OIDC_SESSION_HOURS',
    schema: Type.Integer({ minimum: 1, maximum: 2160 }),
    default: 2160,
    doc: 'Hours after which a session that began with single sign-on ends, even if it is used; at most 2160, which are 90 days.',
  }),
  oidcScopes: defineSetting({
    env: 'OIDC_SCOPES',
    schema: Type.String({
      pattern: '^(?:[\\x21\\x23-\\x5b\\x5d-\\x7e]+ )*openid(?: [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
      maxLength: 1000,
      description: 'scopes with single spaces between them, one of which is openid',
    }),
    default: 'openid email profile',
    doc: 'Scopes that are requested of the provider; some return groups only for another one, such as `groups`.',
  }),
  oidcGroupsClaim: defineSetting({
    env: 'OIDC_GROUPS_CLAIM',
    schema: Type.String({ minLength: 1, maxLength: 255, description: 'at most 255 characters' }),
    default: null,
    doc: 'Claim with the groups of a user, which can get roles in projects; dots lead to nested claims: `realm_access.roles`.',
  }),
  oidcAdminGroup: defineSetting({
    env: 'OIDC_ADMIN_GROUP',
    schema: Type.String({ minLength: 1, maxLength: 255, description: 'at most 255 characters' }),
    default: null,
    doc: 'Group whose users are instance administrators; requires `OIDC_GROUPS_CLAIM`.',
  }),
  signIn: defineSetting({
    env: 'SIGN_IN',
    schema: Type.Unsafe<'any' | 'single-sign-on'>({ type: 'string', enum: ['any', 'single-sign-on'] }),
    default: 'any',
    doc: 'How users sign in: `any`, or `single-sign-on` for no passwords at all; requires `OIDC_ISSUER`.',
  }),
  rateLimit: defineSetting({
    env: 'RATE_LIMIT',
    schema: perMinute,
    default: 60,
    doc: 'Requests per minute and token, counted separately for milestones, for members and invitations, and for CI uploads. Also pages of shared reports per minute and IP address, and ten times as many of their files.',
  }),
  rateLimitOther: defineSetting({
    env: 'RATE_LIMIT_OTHER',
    schema: perMinute,
    default: 600,
    doc: 'Requests per minute and token or session for all other endpoints.',
  }),
  rateLimitSignIn: defineSetting({
    env: 'RATE_LIMIT_SIGN_IN',
    schema: perMinute,
    default: 10,
    doc: 'Wrong passwords per minute from an IP address, and for an account from one; ten times as many per hour for an account. Also requests for password resets, and for options of passkeys, per minute and IP address.',
  }),
  rateLimitInvalidTokens: defineSetting({
    env: 'RATE_LIMIT_INVALID_TOKENS',
    schema: perMinute,
    default: 60,
    doc: 'Requests with an invalid token per minute and IP address, and as many with an invalid session. After that, those that were not valid in the last hour are rejected without looking them up.',
  }),
  rateLimitFiles: defineSetting({
    env: 'RATE_LIMIT_FILES',
    schema: perMinute,
    default: 6000,
    doc: 'Requests per minute and token or session that send or read a file.',
  }),
  redisUrl: defineSetting({
    env: 'REDIS_URL',
    schema: Type.String({
      // Nothing after the database number: a password with an unencoded `?` or `#` would be cut off there.
      pattern: '^rediss?://[^\\s/?#]+(?:/[0-9]*)?$',
      format: 'encoded-url',
      description: 'a redis:// or rediss:// URL: redis://user:password@host:6379/0',
    }),
    default: null,
    doc: 'Redis, `redis://user:password@host:6379/0`, in which several servers share their rate limits.',
    isSecret: true,
  }),
  auditRetentionDays: defineSetting({
    env: 'AUDIT_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: 400,
    doc: 'Number of days that entries of the audit log are kept.',
  }),
  runRetentionDays: defineSetting({
    env: 'RUN_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: null,
    doc: 'Number of days after which completed runs are deleted with their results; runs are kept when unset.',
  }),
  runFileRetentionDays: defineSetting({
    env: 'RUN_FILE_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: MAX_RUN_FILES_DAYS }),
    default: null,
    doc: 'Number of days after which the files of completed runs are removed; they are kept as long as the run when unset.',
  }),
  testRetentionDays: defineSetting({
    env: 'TEST_RETENTION_DAYS',
    schema: Type.Integer({ minimum: 1, maximum: 36_500 }),
    default: null,
    doc: 'Number of days after which automated tests without link and outcomes are deleted; tests are kept when unset.',
  }),
  backupDir: defineSetting({
    env: 'BACKUP_DIR',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Directory for scheduled backups; none are made when unset. Of several servers, one makes each backup.',
  }),
  backupEvery: defineSetting({
    env: 'BACKUP_EVERY',
    schema: Type.Unsafe<keyof typeof BACKUP_SCHEDULES>({ type: 'string', enum: Object.keys(BACKUP_SCHEDULES) }),
    default: '1d',
    doc: `How often a backup is made, counted from midnight UTC: ${formatList(Object.keys(BACKUP_SCHEDULES))}. \`7d\` is on Sundays.`,
  }),
  backupKeep: defineSetting({
    env: 'BACKUP_KEEP',
    schema: Type.Integer({ minimum: 1, maximum: 10_000 }),
    default: 7,
    doc: 'Number of scheduled backups that are kept; older ones are deleted.',
  }),
  backupFiles: defineSetting({
    env: 'BACKUP_FILES',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 0,
    doc: 'Whether scheduled backups contain attached files: `1`, or `0`. They are copied to `BACKUP_DIR/files`, each once for all backups.',
    aliases: booleanAliases,
  }),
  filesDir: defineSetting({
    env: 'FILES_DIR',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Directory of attached files; `DATA_DIR/files` when unset. Several servers must share it, or use S3.',
  }),
  filesStore: defineSetting({
    env: 'FILES_STORE',
    schema: Type.Unsafe<'directory' | 's3'>({ type: 'string', enum: ['directory', 's3'] }),
    default: null,
    doc: 'Where new files are stored: `directory` or `s3`; when unset, in the bucket if `S3_BUCKET_URL` is set. Files in the other place stay readable, and `admin move-files` moves them.',
  }),
  filesOrigin: defineSetting({
    env: 'FILES_ORIGIN',
    schema: Type.String({
      pattern: '^https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?$',
      format: 'url',
      description: 'an address without a path, such as https://files.example.org',
    }),
    default: null,
    doc: 'Address of this server under another host name, `https://files.example.org`, from which browsers load attached files and the viewer of Playwright traces, so that no content is on the address of the web app. Requires `PUBLIC_URL`.',
  }),
  filesMinFreeMb: defineSetting({
    env: 'FILES_MIN_FREE_MB',
    schema: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    default: 1024,
    doc: 'Free space in MB on the file system of `FILES_DIR` below which files are refused; results are still stored.',
  }),
  fileLimitMb: defineSetting({
    env: 'FILE_LIMIT_MB',
    schema: Type.Integer({ minimum: 1, maximum: 5120 }),
    default: 256,
    doc: 'Size limit of an attached file in MB. Files over 32 MB are sent in parts of 8 MB.',
  }),
  fileDeleteDays: defineSetting({
    env: 'FILE_DELETE_DAYS',
    schema: Type.Integer({ minimum: 0, maximum: 3650 }),
    default: 7,
    doc: 'Number of days after which the content of a deleted file is removed, so that a database that is restored from a backup of these days still finds it.',
  }),
  s3BucketUrl: defineSetting({
    env: 'S3_BUCKET_URL',
    schema: Type.String({
      pattern: '^https?://[^\\s?#@]+/[^\\s/?#@]+$',
      format: 'url',
      description: 'the URL of a bucket without a trailing slash: https://s3.example.com/bucket',
    }),
    default: null,
    doc: 'Bucket of an S3-compatible storage for attached files, instead of `FILES_DIR`: `https://s3.example.com/bucket`.',
  }),
  s3Region: defineSetting({
    env: 'S3_REGION',
    schema: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'letters, digits and hyphens' }),
    default: 'us-east-1',
    doc: 'Region of the bucket.',
  }),
  s3AccessKeyId: defineSetting({
    env: 'S3_ACCESS_KEY_ID',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$', description: 'text without spaces' }),
    default: null,
    doc: 'Access key that may read, write, list and delete the objects of the bucket.',
    isSecret: true,
  }),
  s3SecretAccessKey: defineSetting({
    env: 'S3_SECRET_ACCESS_KEY',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$', description: 'text without spaces' }),
    default: null,
    doc: 'Secret of `S3_ACCESS_KEY_ID`.',
    isSecret: true,
  }),
  s3Prefix: defineSetting({
    env: 'S3_PREFIX',
    schema: Type.String({
      pattern: '^(?:[A-Za-z0-9._-]+/)*$',
      maxLength: 512,
      description: 'letters, digits, dots, hyphens and underscores, with a slash at the end: caseward/',
    }),
    default: '',
    doc: 'What the names of objects in the bucket begin with, such as `caseward/`.',
  }),
  s3Redirect: defineSetting({
    env: 'S3_REDIRECT',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 0,
    doc: '`1` sends whoever opens a file in the bucket to an address of the bucket that works for a minute, so that the bytes do not pass through this server.',
    aliases: booleanAliases,
  }),
  requestTimeoutSeconds: defineSetting({
    env: 'REQUEST_TIMEOUT',
    schema: Type.Integer({ minimum: 1, maximum: 3600 }),
    default: 300,
    doc: 'Seconds in which a request must arrive completely.',
  }),
  bodyMemoryMb: defineSetting({
    env: 'BODY_MEMORY_MB',
    schema: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    default: null,
    doc: 'Memory in MB for the bodies of all requests together; a quarter of the heap limit of Node.js when unset. A request that does not fit waits up to 5 seconds, then the response is 503.',
  }),
  maxEventStreams: defineSetting({
    env: 'MAX_EVENT_STREAMS',
    schema: Type.Integer({ minimum: 0, maximum: 100_000 }),
    default: 2000,
    doc: 'Event streams that may be open at the same time, one for each visible tab of the web app; `0` for none. For further ones, the response is 503.',
  }),
  imageSources: defineSetting({
    env: 'IMAGE_SOURCES',
    schema: Type.String({
      pattern:
        '^(?:https:|https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?: (?:https:|https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?))*$',
      description: 'addresses such as https://wiki.example.org, without paths and separated by spaces',
    }),
    default: null,
    doc: 'Other servers whose images in test cases and notes are shown, such as `https://wiki.example.org`, separated by spaces; with `https:`, those of every server after a click. Otherwise such an image is a link, so that no author learns who reads a test case.',
  }),
  allowShares: defineSetting({
    env: 'ALLOW_SHARES',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 1,
    doc: 'Whether members may share reports of runs and milestones with people without an account, and such reports can be opened: `1`, or `0` for none. Projects can turn it off for themselves.',
    aliases: booleanAliases,
  }),
  trustProxy: defineSetting({
    env: 'TRUST_PROXY',
    schema: Type.Integer({ minimum: 0, maximum: 100 }),
    default: 0,
    doc: 'Number of reverse proxies in front of the service that append to `X-Forwarded-For`; used to determine the client’s IP address.',
    aliases: booleanAliases,
  }),
  logLevel: defineSetting({
    env: 'LOG_LEVEL',
    schema: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
      type: 'string',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    }),
    default: 'info',
    doc: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
  logRequests: defineSetting({
    env: 'LOG_REQUESTS',
    schema: Type.Unsafe<'all' | 'errors'>({ type: 'string', enum: ['all', 'errors'] }),
    default: 'all',
    doc: 'Requests that are logged, with about 200 bytes each: `all`, or `errors` for those with a 4xx or 5xx status.',
  }),
  shutdownDelayMs: defineSetting({
    env: 'SHUTDOWN_DELAY_MS',
    schema: Type.Integer({ minimum: 0, maximum: 300_000 }),
    default: 2500,
    doc: 'Milliseconds to keep serving requests after SIGTERM while `/readyz` returns 503, so that load balancers can switch to other servers.',
  }),
}

type Value<T> = T extends { schema: infer S extends TSchema; default: infer D } ? Static<S> | Extract<D, null> : never
type Values = { [K in keyof typeof settings]: Value<(typeof settings)[K]> }

/** The settings as the service uses them: directories are absolute, `publicUrl` has no trailing slash. */
export type Config = Omit<Values, 'publicUrl' | 'dataDir' | 'filesDir'> & {
  publicUrl: string | null
  dataDir: string
  filesDir: string
  dataDirIsDefault: boolean
}

/** An invalid setting. The message is one line that names the environment variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const ajv = new Ajv({ coerceTypes: true })
ajv.addFormat('idn-email', isVisibleText)
ajv.addFormat('url', (text: string) => URL.canParse(text))
ajv.addFormat('encoded-url', (text: string) => URL.canParse(text) && isDecodable(text))

/** Whether the percent-encoding of a text is valid. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

interface SchemaRules {
  type?: string
  description?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
}

function describeRules({ type, enum: values, minimum, maximum }: SchemaRules): string {
  if (values !== undefined) return `one of ${values.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return type === 'boolean' ? 'true or false' : 'text'
}

/**
 * Reads every setting from the environment, and secret ones also from files.
 * @throws {ConfigError} for the first invalid setting
 */
export function readConfig(env: Environment): Config {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<TSchema, unknown>>(settings)) {
    values[name] = readSetting(
      setting,
      setting.isSecret === true ? readSecret(setting.env, env) : readVariable(setting.env, env),
    )
  }
  const config = values as Values
  if (config.adminEmail === null && (config.adminPassword !== null || config.adminToken !== null)) {
    throw new ConfigError('ADMIN_EMAIL must be set if ADMIN_PASSWORD or ADMIN_TOKEN is set')
  }
  if (config.oidcIssuer !== null && !isProtectedUrl(config.oidcIssuer)) {
    throw new ConfigError(
      'OIDC_ISSUER must start with https://. Only a provider on this machine (localhost) can have http://',
    )
  }
  if ((config.oidcIssuer === null) !== (config.oidcClientId === null)) {
    throw new ConfigError('OIDC_ISSUER and OIDC_CLIENT_ID must be set together')
  }
  if (config.oidcAdminGroup !== null && config.oidcGroupsClaim === null) {
    throw new ConfigError('OIDC_ADMIN_GROUP requires OIDC_GROUPS_CLAIM')
  }
  if (config.signIn === 'single-sign-on' && config.oidcIssuer === null) {
    throw new ConfigError('SIGN_IN=single-sign-on requires OIDC_ISSUER and OIDC_CLIENT_ID')
  }
  const s3Settings = [config.s3BucketUrl, config.s3AccessKeyId, config.s3SecretAccessKey]
  if (s3Settings.some((setting) => (setting === null) !== (config.s3BucketUrl === null))) {
    throw new ConfigError('S3_BUCKET_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together')
  }
  if (config.s3BucketUrl === null && config.filesStore === 's3') {
    throw new ConfigError('FILES_STORE=s3 requires S3_BUCKET_URL')
  }
  if (config.s3BucketUrl === null && config.s3Redirect === 1) {
    throw new ConfigError('S3_REDIRECT requires S3_BUCKET_URL')
  }
  checkFilesOrigin(config)
  const publicUrl = config.publicUrl?.replace(/\/+$/, '') ?? null
  const filesOrigin = config.filesOrigin === null ? null : new URL(config.filesOrigin).origin
  const backupDir = config.backupDir === null ? null : resolve(config.backupDir)
  const dataDir = resolve(config.dataDir)
  const filesDir = resolve(config.filesDir ?? join(dataDir, 'files'))
  if (config.backupFiles === 1) checkBackupFiles(backupDir, filesDir)
  return { ...config, publicUrl, filesOrigin, backupDir, dataDir, filesDir, dataDirIsDefault: !env['DATA_DIR'] }
}

/** @throws {ConfigError} */
function checkBackupFiles(backupDir: string | null, filesDir: string): void {
  if (backupDir === null) throw new ConfigError('BACKUP_FILES requires BACKUP_DIR')
  if (join(backupDir, 'files') === filesDir) {
    throw new ConfigError('BACKUP_DIR/files is the directory of attached files itself: choose another BACKUP_DIR')
  }
}

/** @throws {ConfigError} */
function checkFilesOrigin({ filesOrigin, publicUrl, databaseUrl, secretKey }: Values): void {
  if (filesOrigin === null) return
  if (publicUrl === null) throw new ConfigError('FILES_ORIGIN requires PUBLIC_URL')
  const [files, app] = [new URL(filesOrigin), new URL(publicUrl)]
  if (files.hostname === app.hostname) {
    throw new ConfigError('FILES_ORIGIN must have another host name than PUBLIC_URL: cookies are those of all ports')
  }
  if (app.protocol === 'https:' && files.protocol !== 'https:') {
    throw new ConfigError('FILES_ORIGIN must start with https://, as PUBLIC_URL does')
  }
  if (databaseUrl !== null && secretKey === null) {
    throw new ConfigError('FILES_ORIGIN requires SECRET_KEY if DATABASE_URL is set: all servers sign addresses with it')
  }
}

type Environment = Record<string, string | undefined>

/** The text of a setting, and how messages name where it came from. */
interface SettingText {
  text: string | undefined
  source: string
}

/** An empty variable is an unset one. */
function readVariable(variable: string, env: Environment): SettingText {
  const text = env[variable]
  return { text: text === '' ? undefined : text, source: `${variable} must be` }
}

/** Returns the text of a secret setting: its variable, or the content of the file that `<variable>_FILE` names. */
function readSecret(variable: string, env: Environment): SettingText {
  const direct = readVariable(variable, env)
  const fileVariable = getFileVariable(variable)
  const { text: path } = readVariable(fileVariable, env)
  if (path === undefined) return direct
  if (direct.text !== undefined) {
    throw new ConfigError(`${variable} and ${fileVariable} are both set. Remove one of them.`)
  }
  const { text, problem } = readSecretFile(path)
  if (problem !== undefined) throw new ConfigError(`${fileVariable} names ${JSON.stringify(path)}, ${problem}`)
  return { text, source: `${fileVariable} must name a file that contains` }
}

function readSetting(setting: Setting<TSchema, unknown>, { text: value, source }: SettingText): unknown {
  if (value === undefined) return setting.default
  const text = setting.aliases?.get(value) ?? value
  const { description, ...rules } = setting.schema as SchemaRules
  // Coercion would accept a space as 0.
  const isInteger = rules.type !== 'integer' || /^-?[0-9]+$/.test(text)
  const wrapper: { value: unknown } = { value: text }
  if (!isInteger || !ajv.validate<{ value: unknown }>({ type: 'object', properties: { value: rules } }, wrapper)) {
    const hint = setting.isSecret === true ? '' : ` (it is ${JSON.stringify(text)})`
    throw new ConfigError(`${source} ${description ?? describeRules(rules)}${hint}`)
  }
  return wrapper.value
}
