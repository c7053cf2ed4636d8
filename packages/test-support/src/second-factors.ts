import { createHmac, randomUUID } from 'node:crypto'

import type { AddedFactor, TotpSetup } from '@caseward/contract/second-factors'

import { insertPendingSignIn } from '@caseward/server/features/auth/second-factors/pending-sign-ins.queries'
import { replaceRecoveryCodes } from '@caseward/server/features/auth/second-factors/second-factors.queries'
import { formatTotpSecret, generateTotpSecret } from '@caseward/server/features/auth/second-factors/totp'
import { createSecretBox } from '@caseward/server/platform/secret-box'
import { createSecretKey } from '@caseward/server/platform/secret-key'
import type { Browser } from './browser.ts'
import { TEST_SECRET_KEY, type TestServer } from './test-server.ts'
import { makeSignedInUser, makeUserWithPassword } from './users.ts'

const PERIOD_MS = 30_000

/** Computes a code as an authenticator app does (RFC 6238). @param stepsLater of 30 seconds, which the clock is ahead */
export function computeTotpCode(base32Secret: string, stepsLater = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / PERIOD_MS) + stepsLater))
  const digest = createHmac('sha1', decodeBase32(base32Secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Adds an authenticator app to the account of a signed-in browser. */
export async function addTotp(browser: Browser, name?: string) {
  const setup = await browser.api('POST', '/v1/me/second-factors/totp', name === undefined ? {} : { name })
  if (setup.status !== 201) throw new Error(`POST /v1/me/second-factors/totp returned ${setup.status} ${setup.text}`)
  const { id, secret } = (JSON.parse(setup.text) as { data: TotpSetup }).data
  const path = `/v1/me/second-factors/totp/${id}/activate`
  const { status, text } = await browser.api('POST', path, { code: computeTotpCode(secret) })
  if (status !== 200) throw new Error(`POST ${path} returned ${status} ${text}`)
  const { recovery_codes: recoveryCodes } = (JSON.parse(text) as { data: AddedFactor }).data
  return { factorId: id, secret, recoveryCodes: recoveryCodes ?? [] }
}

/** Creates a user with a password and an authenticator app, who is signed in. */
export async function makeUserWithTotp(server: TestServer) {
  const user = await makeSignedInUser(server)
  const totp = await addTotp(user.browser)
  return {
    ...user,
    ...totp,
    /** Returns the code of now, as if it was not used before. */
    async getUnusedCode(): Promise<string> {
      await server.db
        .updateTable('second_factors')
        .set({ totp_last_step: null })
        .where('id', '=', totp.factorId)
        .execute()
      return computeTotpCode(totp.secret)
    },
  }
}

/** Stores an authenticator app without requests. It is in use, or waits for its first code, which is returned. */
export async function insertTotp({ db }: Pick<TestServer, 'db'>, userId: string, { isPending = false } = {}) {
  const id = randomUUID()
  const secret = generateTotpSecret()
  const totp_secret = await createSecretBox(createSecretKey({ secretKey: TEST_SECRET_KEY, keyFile: null })).encrypt(
    secret,
    id,
  )
  const activated_at = isPending ? null : new Date()
  await db
    .insertInto('second_factors')
    .values({ id, user_id: userId, kind: 'totp', name: 'Phone', totp_secret, activated_at })
    .execute()
  if (!isPending) await db.updateTable('users').set({ has_second_factor: true }).where('id', '=', userId).execute()
  return { id, code: computeTotpCode(formatTotpSecret(secret)) }
}

/** Creates a user whose sign-in waits for a second factor. Returns the secret of the cookie, and a recovery code. */
export async function makePendingSignIn({
  db,
}: Pick<TestServer, 'db'>): Promise<{ secret: string; code: string; userId: string }> {
  const { id } = await makeUserWithPassword({ db })
  await insertTotp({ db }, id)
  const code = 'x7kq-2mwd-90ra-hz4e'
  await replaceRecoveryCodes(db, id, [code])
  return { secret: await insertPendingSignIn(db, id), code, userId: id }
}
