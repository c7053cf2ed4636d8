import { resolve } from 'node:path'

import { Ajv } from 'ajv'
import { Type, type Static, type TSchema } from 'typebox'

/** One setting: the environment variable that sets it, what it may be, what it is when unset, what it does. */
interface Setting<S extends TSchema, D extends Static<S> | null> {
  env: string
  schema: S
  default: D
  doc: string
  /** Words that stand for a value, and what each stands for as it would be written. */
  words?: ReadonlyMap<string, string>
  /** Never shown in messages or logs. */
  secret?: boolean
}

const setting = <S extends TSchema, const D extends Static<S> | null>(definition: Setting<S, D>): Setting<S, D> =>
  definition

const port = Type.Integer({ minimum: 0, maximum: 65_535 })
const url = Type.String({ pattern: '^https?://[^\\s]+$', format: 'url', description: 'an http:// or https:// address' })
const perMinute = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** Every setting once. The README's table is generated from it (`npm run generated`). */
export const settings = {
  port: setting({ env: 'PORT', schema: port, default: 3000, doc: 'Port to listen on; `0` takes a free one.' }),
  host: setting({
    env: 'HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    doc: 'Address to listen on; `0.0.0.0` for all.',
  }),
  publicUrl: setting({
    env: 'PUBLIC_URL',
    schema: url,
    default: null,
    doc: 'Where people reach the service, for links; `http://localhost:PORT` when unset.',
  }),
  dataDir: setting({
    env: 'DATA_DIR',
    schema: Type.String({ minLength: 1 }),
    default: 'data',
    doc: 'Folder of the embedded database and of all other files.',
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    schema: Type.String({ pattern: '^postgres(ql)?://', description: 'a postgres:// address' }),
    default: null,
    doc: 'A PostgreSQL 15 or later to use in place of the embedded one.',
    secret: true,
  }),
  databasePoolSize: setting({
    env: 'DATABASE_POOL_SIZE',
    schema: Type.Integer({ minimum: 2, maximum: 1000 }),
    default: 10,
    doc: 'Connections to the database for requests, at most; jobs take two more.',
  }),
  smtpUrl: setting({
    env: 'SMTP_URL',
    schema: Type.String({
      pattern: '^smtps?://[^\\s]+$',
      format: 'url',
      description: 'an smtp:// or smtps:// address',
    }),
    default: null,
    doc: 'Mail server, `smtp://user:password@host:587`; without one, mails are written to `DATA_DIR/outbox`.',
    secret: true,
  }),
  mailFrom: setting({
    env: 'MAIL_FROM',
    schema: Type.String({
      pattern: '^(?:[^\\s@<>]+@[^\\s@<>]+|[^<>\\x00-\\x1f]+ <[^\\s@<>]+@[^\\s@<>]+>)$',
      description: 'an e-mail address, or a name and one: Caseward <caseward@example.com>',
    }),
    default: 'Caseward <caseward@localhost>',
    doc: 'From whom mails come.',
  }),
  adminEmail: setting({
    env: 'ADMIN_EMAIL',
    schema: Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 320, description: 'an e-mail address' }),
    default: null,
    doc: 'E-mail address of the first user, created when there is none; with `ADMIN_PASSWORD`, `ADMIN_TOKEN` or both.',
  }),
  adminPassword: setting({
    env: 'ADMIN_PASSWORD',
    schema: Type.String({ minLength: 8, maxLength: 1024, description: 'at least 8 characters' }),
    default: null,
    doc: 'Password of the first user.',
    secret: true,
  }),
  adminToken: setting({
    env: 'ADMIN_TOKEN',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{32,512}$', description: 'at least 32 characters without spaces' }),
    default: null,
    doc: 'A personal write token of exactly this value for the first user, for provisioning: 32 characters or more.',
    secret: true,
  }),
  oidcIssuer: setting({
    env: 'OIDC_ISSUER',
    schema: url,
    default: null,
    doc: 'OpenID Connect provider to sign in with, `https://login.example.com`; it must vouch for e-mail addresses.',
  }),
  oidcClientId: setting({
    env: 'OIDC_CLIENT_ID',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'What the provider knows Caseward as; the address to register there is `PUBLIC_URL/sign-in/oidc/callback`.',
  }),
  oidcClientSecret: setting({
    env: 'OIDC_CLIENT_SECRET',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'The client secret that the provider gave, if it gave one.',
    secret: true,
  }),
  oidcName: setting({
    env: 'OIDC_NAME',
    schema: Type.String({ minLength: 1, maxLength: 80, description: 'at most 80 characters' }),
    default: 'single sign-on',
    doc: 'What people call the provider: the sign-in page offers “Sign in with …”.',
  }),
  rateLimit: setting({
    env: 'RATE_LIMIT',
    schema: perMinute,
    default: 60,
    doc: 'Requests a minute per token, for milestones, for members and invitations, and for CI uploads.',
  }),
  rateLimitOther: setting({
    env: 'RATE_LIMIT_OTHER',
    schema: perMinute,
    default: 600,
    doc: 'Requests a minute per token or session for everything else.',
  }),
  rateLimitSignIn: setting({
    env: 'RATE_LIMIT_SIGN_IN',
    schema: perMinute,
    default: 10,
    doc: 'Requests a minute per address for what needs no token: sign-in (per account, too), and the links of invitations.',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    schema: Type.String({
      // Nothing after the database's number: a password with a bare `?` or `#` in it would be cut short there.
      pattern: '^rediss?://[^\\s/?#]+(?:/[0-9]*)?$',
      format: 'encoded-url',
      description: 'a redis:// or rediss:// address: redis://user:password@host:6379/0',
    }),
    default: null,
    doc: 'Redis, `redis://user:password@host:6379/0`, in which several servers count requests together.',
    secret: true,
  }),
  trustProxy: setting({
    env: 'TRUST_PROXY',
    schema: Type.Integer({ minimum: 0, maximum: 100 }),
    default: 0,
    doc: 'How many proxies each request passes that add to `X-Forwarded-For`, from which the client’s address is taken.',
    words: new Map([
      ['true', '1'],
      ['false', '0'],
    ]),
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    schema: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
      type: 'string',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    }),
    default: 'info',
    doc: 'How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
}

type Value<T> = T extends { schema: infer S extends TSchema; default: infer D } ? Static<S> | Extract<D, null> : never
type Values = { [K in keyof typeof settings]: Value<(typeof settings)[K]> }

/** The settings as the service uses them: paths absolute, the public address filled in. */
export type Config = Omit<Values, 'publicUrl' | 'dataDir'> & {
  publicUrl: string | null
  dataDir: string
  dataDirIsDefault: boolean
}

/** A setting that cannot be used. Its message is one line that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const ajv = new Ajv({ coerceTypes: true })
ajv.addFormat('url', (text: string) => URL.canParse(text))
ajv.addFormat('encoded-url', (text: string) => URL.canParse(text) && isDecodable(text))

/** Whether every `%` begins a character that is encoded. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

interface Rules {
  type?: string
  description?: string
  enum?: readonly string[]
  minimum?: number
  maximum?: number
}

function explain({ type, enum: words, minimum, maximum }: Rules): string {
  if (words !== undefined) return `one of ${words.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return type === 'boolean' ? 'true or false' : 'text'
}

/**
 * Reads every setting from the environment.
 * @throws {ConfigError} for the first setting that cannot be used
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {}
  for (const [name, { env: variable, schema, default: fallback, words, secret }] of Object.entries(settings)) {
    const written = env[variable]
    if (written === undefined || written === '') {
      values[name] = fallback
      continue
    }
    const text = words?.get(written) ?? written
    const box: { value: unknown } = { value: text }
    const { description, ...rules } = schema as Rules
    // Coercion alone would take a space for 0.
    const isWritten = rules.type !== 'integer' || /^-?[0-9]+$/.test(text)
    if (!isWritten || !ajv.validate<{ value: unknown }>({ type: 'object', properties: { value: rules } }, box)) {
      const shown = secret === true ? '' : ` (it is ${JSON.stringify(text)})`
      throw new ConfigError(`${variable} must be ${description ?? explain(rules)}${shown}`)
    }
    values[name] = box.value
  }
  const read = values as Values
  if (read.adminEmail === null && (read.adminPassword !== null || read.adminToken !== null)) {
    throw new ConfigError('ADMIN_EMAIL must be set where ADMIN_PASSWORD or ADMIN_TOKEN is')
  }
  if ((read.oidcIssuer === null) !== (read.oidcClientId === null)) {
    throw new ConfigError('OIDC_ISSUER and OIDC_CLIENT_ID must be set together')
  }
  const publicUrl = read.publicUrl?.replace(/\/+$/, '') ?? null
  return { ...read, publicUrl, dataDir: resolve(read.dataDir), dataDirIsDefault: !env['DATA_DIR'] }
}
