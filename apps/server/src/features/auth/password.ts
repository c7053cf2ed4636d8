import { hash, verify } from '@node-rs/argon2'

/**
 * Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Keyboards compose the same characters from different code points. */
const normalizePassword = (password: string) => password.normalize('NFKC')

export async function hashPassword(password: string): Promise<string> {
  return await hash(normalizePassword(password), options)
}

let dummyHash: Promise<string> | undefined

/**
 * Returns whether a password matches a hash. Without a hash (no such user, or a user without a password) it returns false
 * after the same time, which must not reveal who has an account.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('any password')
  const matches = await verify(passwordHash ?? (await dummyHash), normalizePassword(password))
  return matches && passwordHash !== null
}
