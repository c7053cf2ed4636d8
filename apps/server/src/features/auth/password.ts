import { availableParallelism } from 'node:os'

import { hash, verify } from '@node-rs/argon2'

import { createFairQueue, type QueueClient } from '../../platform/fair-queue.ts'
import { hashingBusyProblem } from '../../platform/http/problems.ts'

/**
 * Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * At most two of the four threads of libuv, which also read files and compress responses, and not all processors. A hash
 * takes some 30 ms, so that those who wait have their turn within seconds.
 */
const runInTurn = createFairQueue({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  maxWaiting: 100,
  maxWaitMs: 5000,
  createError: hashingBusyProblem,
})

/** Work that no stranger can ask for, such as that of the command line. */
const OWN_CLIENT: QueueClient = { key: 'server', isKnown: true }

/** Keyboards compose the same characters from different code points. */
const normalizePassword = (password: string) => password.normalize('NFKC')

/**
 * @param client who has to wait for whom; see {@link createFairQueue}
 * @throws {Problem} 503 while too many passwords wait to be hashed
 */
export async function hashPassword(password: string, client: QueueClient = OWN_CLIENT): Promise<string> {
  return await runInTurn(client, () => hash(normalizePassword(password), options))
}

let dummyHash: Promise<string> | undefined

/**
 * Returns whether a password matches a hash. Without a hash (no such user, or a user without a password) it returns false
 * after the same time, which must not reveal who has an account.
 * @param client who has to wait for whom; see {@link createFairQueue}
 * @throws {Problem} 503 while too many passwords wait to be checked
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
  client: QueueClient = OWN_CLIENT,
): Promise<boolean> {
  dummyHash ??= hash('any password', options)
  const comparedHash = passwordHash ?? (await dummyHash)
  const matches = await runInTurn(client, () => verify(comparedHash, normalizePassword(password)))
  return matches && passwordHash !== null
}
