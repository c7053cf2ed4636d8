import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ConfigError, readConfig } from './config.ts'
import { settings } from './settings/settings.ts'
import { toConnection } from './platform/database/database-url.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secret-files-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function writeSecret(content: string | Uint8Array): Promise<string> {
  const path = join(directory, crypto.randomUUID())
  await writeFile(path, content)
  return path
}

const required = { ADMIN_EMAIL: 'admin@example.test' }

/** A valid value of each secret setting. */
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgres://u:p@h/d',
  PGPASSWORD: ' p%40ss #1 ',
  SMTP_URL: 'smtp://u:p@mail.example.test:587',
  ADMIN_PASSWORD: 'correct horse battery',
  ADMIN_TOKEN: 'x'.repeat(40),
  OIDC_CLIENT_SECRET: 'hush',
  REDIS_URL: 'redis://u:p@cache.example.test:6379/0',
}

/** The secret settings by their variables. */
const secretNames = new Map(
  Object.entries<{ env: string; isSecret?: boolean }>(settings)
    .filter(([, { isSecret }]) => isSecret === true)
    .map(([name, { env }]) => [env, name]),
)

describe('secrets from files', () => {
  it('is tested with every secret setting that has a value here', () => {
    for (const name of Object.keys(secrets)) expect(secretNames.has(name)).toBe(true)
  })

  it.each(Object.entries(secrets))(
    'reads %s from the file that …_FILE names, without its last line break',
    async (name, value) => {
      for (const end of ['', '\n', '\r\n']) {
        const config = readConfig({ ...required, [`${name}_FILE`]: await writeSecret(value + end) })
        expect(config).toHaveProperty(secretNames.get(name) ?? '', value)
      }
    },
  )

  it('reads no other setting from a file', async () => {
    expect(readConfig({ PORT_FILE: await writeSecret('4000') }).port).toBe(3000)
  })

  it('ignores an empty variable', () => {
    expect(readConfig({ SMTP_URL_FILE: '' }).smtpUrl).toBeNull()
  })

  it('rejects a secret that is given in both ways', async () => {
    const env = {
      ...required,
      ADMIN_PASSWORD: 'hunter2hunter2',
      ADMIN_PASSWORD_FILE: await writeSecret('hunter2hunter3'),
    }
    expect(() => readConfig(env)).toThrow(
      new ConfigError('ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set. Remove one of them.'),
    )
  })

  it.each([
    ['is empty', ''],
    ['is empty', '\n'],
    ['is larger than 64 KB', 'x'.repeat(65_537)],
    ['is not UTF-8 text', new Uint8Array([0xff, 0xfe, 0x41])],
  ])('rejects a file that %s', async (problem, content) => {
    const path = await writeSecret(content)
    expect(() => readConfig({ OIDC_CLIENT_SECRET_FILE: path })).toThrow(
      new ConfigError(`OIDC_CLIENT_SECRET_FILE names ${JSON.stringify(path)}, which ${problem}`),
    )
  })

  it('rejects a file that does not exist, and a directory', () => {
    const missing = join(directory, 'missing')
    expect(() => readConfig({ REDIS_URL_FILE: missing })).toThrow(
      new ConfigError(`REDIS_URL_FILE names ${JSON.stringify(missing)}, which cannot be read (ENOENT)`),
    )
    expect(() => readConfig({ REDIS_URL_FILE: directory })).toThrow(/, which is not a file$/)
  })

  it('does not show the content of a file with an invalid value', async () => {
    const path = await writeSecret('hunter2')
    expect(() => readConfig({ ...required, ADMIN_TOKEN_FILE: path })).toThrow(
      new ConfigError('ADMIN_TOKEN_FILE must name a file that contains at least 32 characters without spaces'),
    )
  })
})

describe('toConnection', () => {
  it.each([
    ['postgres://u@h/d', 'postgres://u@h/d?password=p%2540%20%23%26'],
    ['postgres://u:@h/d?sslmode=disable', 'postgres://u:@h/d?sslmode=disable&password=p%2540%20%23%26'],
    ['postgres://u@/d?host=/run/postgresql', 'postgres://u@/d?host=/run/postgresql&password=p%2540%20%23%26'],
    ['postgres://u:own@h/d', 'postgres://u:own@h/d'],
    ['postgres://h/d?user=u&password=own', 'postgres://h/d?user=u&password=own'],
  ])('adds the password to %s unless it has one', (url, connectionString) => {
    expect(toConnection(url, 'p%40 #&')).toEqual({ connectionString })
  })
})
