import { join, resolve } from 'node:path'

import { Ajv } from 'ajv'
import type { Static } from '@caseward/contract/static'
import type { TSchema } from 'typebox'

import { isProtectedUrl } from './platform/http/is-protected-url.ts'
import { isVisibleText } from './platform/http/text-formats.ts'
import { getFileVariable, readSecretFile } from './secret-files.ts'
import type { Setting } from './settings/define-setting.ts'
import { settings } from './settings/settings.ts'

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
