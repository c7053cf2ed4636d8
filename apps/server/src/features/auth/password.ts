import { hash, verify } from '@node-rs/argon2'

/** Argon2id at the strength that OWASP asks for: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The same characters can be composed in several ways, and keyboards differ. */
const normalizePassword = (password: string) => password.normalize('NFKC')

/** What is stored of a password. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(normalizePassword(password), options)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether a password is the one that was hashed. Without a hash (no such user, or one without a password) it is wrong,
 * and takes just as long to be so: the time must not tell who has an account.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('nobody’s')
  const matches = await verify(passwordHash ?? (await dummyHash), normalizePassword(password))
  return matches && passwordHash !== null
}
