import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { useTestServer } from '@caseward/test-support/test-server'
import { connect, type Database } from '../database/connect.ts'
import { Problem } from '../http/problems.ts'
import { deleteEndedMailCounts, isMailAllowed, requireMailAllowed } from './mail-limits.ts'

const server = useTestServer()

const purpose = { kind: 'test' }
let addressCount = 0
function newAddress(): string {
  addressCount += 1
  return `person${addressCount}@example.test`
}

const inTransaction = <T>(action: (tx: Database) => Promise<T>) => server.db.transaction().execute(action)
const isAllowed = (address: string, mail = purpose) => inTransaction((tx) => isMailAllowed(tx, mail, address))

/** Moves the end of all counts into the past or the near future. */
const setRemainingSeconds = (seconds: number) =>
  sql`update mail_limits set resets_at = now() + make_interval(secs => ${seconds})`.execute(server.db)

describe('isMailAllowed', () => {
  it('allows one email to an address in five minutes', async () => {
    const address = newAddress()
    expect([await isAllowed(address), await isAllowed(address), await isAllowed(address)]).toEqual([true, false, false])
    await setRemainingSeconds(1)
    expect(await isAllowed(address)).toBe(false)
    await setRemainingSeconds(0)
    expect([await isAllowed(address), await isAllowed(address)]).toEqual([true, false])
  })

  it('counts upper and lower case as one address, but only of ASCII letters', async () => {
    expect([await isAllowed('Mira@Example.test'), await isAllowed('mira@eXample.TEST')]).toEqual([true, false])
    expect([await isAllowed('admin@example.test'), await isAllowed('adm\u0130n@example.test')]).toEqual([true, true])
  })

  it('counts emails of another purpose separately', async () => {
    const address = newAddress()
    expect([await isAllowed(address), await isAllowed(address, { kind: 'other' })]).toEqual([true, true])
  })

  it('does not count an email whose transaction is rolled back', async () => {
    const address = newAddress()
    const rolledBack = inTransaction(async (tx) => {
      expect(await isMailAllowed(tx, purpose, address)).toBe(true)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await isAllowed(address)).toBe(true)
  })

  it('allows one of many concurrent emails to an address on two servers', async () => {
    const { connection, drop } = await cloneDatabase()
    const open = () => connect(connection, { poolSize: 5, onError: () => {} })
    const [first, second] = [open(), open()]
    for (let round = 0; round < 10; round += 1) {
      const address = newAddress()
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const { db } = index % 2 === 0 ? first : second
          return db.transaction().execute((tx) => isMailAllowed(tx, purpose, address))
        }),
      )
      expect(results.filter((allowed) => allowed)).toHaveLength(1)
    }
    await Promise.all([first.close(), second.close()])
    await drop()
  })
})

describe('requireMailAllowed', () => {
  const send = (address: string, senderId = 'ada') =>
    inTransaction((tx) => requireMailAllowed(tx, purpose, { address, senderId })).then(
      () => null,
      (error: unknown) => (error instanceof Problem ? error : Promise.reject(error as Error)),
    )

  it('fails with 429 mail_limit and the remaining seconds for the second email to an address', async () => {
    const address = newAddress()
    expect(await send(address)).toBeNull()
    const problem = await send(address, 'another sender')
    expect(problem).toMatchObject({ statusCode: 429, code: 'mail_limit' })
    const seconds = Number(problem?.headers['retry-after'])
    expect(seconds).toBeGreaterThan(290)
    expect(seconds).toBeLessThanOrEqual(300)
  })

  it('allows 50 emails of one sender in an hour, also when they are concurrent, and any number of senders', async () => {
    const senderId = 'sender of many'
    const problems = await Promise.all(Array.from({ length: 60 }, () => send(newAddress(), senderId)))
    const refused = problems.filter((problem) => problem !== null)
    expect(refused).toHaveLength(10)
    for (const { code, headers } of refused) {
      expect(code).toBe('mail_limit')
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
    }
    expect(await send(newAddress(), 'another sender')).toBeNull()
  })

  it('does not count an email that is refused', async () => {
    const senderId = 'patient sender'
    for (let count = 0; count < 50; count += 1) await send(newAddress(), senderId)
    const address = newAddress()
    expect(await send(address, senderId)).toMatchObject({ code: 'mail_limit' })
    expect(await send(address, 'another sender')).toBeNull()
  })
})

describe('deleteEndedMailCounts', () => {
  it('deletes the counts whose time is over, and no others', async () => {
    await setRemainingSeconds(-1)
    const address = newAddress()
    await isAllowed(address)
    for (let round = 0; round < 5; round += 1) await deleteEndedMailCounts(server.db)
    const counts = await server.db.selectFrom('mail_limits').select('bucket').execute()
    expect(counts).toEqual([{ bucket: `test:${address}` }])
  })

  it('does not wait for a transaction that uses one of them', async () => {
    const address = newAddress()
    await isAllowed(address)
    await setRemainingSeconds(-1)
    await inTransaction(async (tx) => {
      await isMailAllowed(tx, purpose, address)
      await deleteEndedMailCounts(server.db)
    })
    expect(await isAllowed(address)).toBe(false)
  })
})
