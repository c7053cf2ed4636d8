import { readdir, readFile } from 'node:fs/promises'

import { normalizeKey } from '@caseward/matching/normalize-key'
import { createEmptyDatabase } from '@caseward/test-support/database'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { expect, it, onTestFinished } from 'vitest'

import { connect } from './connect.ts'
import { toDigest } from './text-digest.ts'

const MIGRATION = '0027_automation_keys.sql'
const directory = new URL('../../../migrations/', import.meta.url)

/** Stores test cases with these keys in the schema before the migration, and migrates. */
async function migrate(keys: readonly (string | null)[]) {
  const { connection, drop } = await createEmptyDatabase()
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {}, onWarning: () => {} })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const run = async (file: string) => void (await sql.raw(await readFile(new URL(file, directory), 'utf8')).execute(db))
  const files = (await readdir(directory)).toSorted()
  for (const file of files.filter((name) => name < MIGRATION)) await run(file)
  const projectId = uuidv7()
  await sql`insert into projects (id, name, prefix) values (${projectId}, 'Web shop', 'WEB')`.execute(db)
  for (const [index, key] of keys.entries()) {
    await sql`
      insert into test_cases (project_id, number, title, automation_key)
      values (${projectId}, ${index + 1}, 'Pays', ${key})`.execute(db)
  }
  await run(MIGRATION)
  const cases = await sql<{
    automation_keys: string[]
  }>`select automation_keys from test_cases order by number`.execute(db)
  const digests = await sql<{ key_digest: string; case_number: number }>`
    select key_digest, case_number from automation_keys order by case_number`.execute(db)
  return { texts: cases.rows.map((row) => row.automation_keys), digests: digests.rows }
}

it('keeps each automation key as the only one of its test case, and finds it by the digest that the server computes', async () => {
  const keys = ['shop.Cart.pays', ' src/cart.test.ts > Cart › pays ', 'Zahlung e\u0301 \u00a0\u3000 » \\x:y', null]
  const { texts, digests } = await migrate(keys)
  expect(texts).toEqual(keys.map((key) => (key === null ? [] : [key])))
  expect(digests).toEqual(
    keys.flatMap((key, index) =>
      key === null ? [] : [{ key_digest: toDigest(normalizeKey(key)), case_number: index + 1 }],
    ),
  )
})

it('lets the oldest test case match where several keys become the same, and keeps the text of the others', async () => {
  const { texts, digests } = await migrate(['Cart > pays', 'Cart.pays', 'Cart » pays'])
  expect(texts).toEqual([['Cart > pays'], ['Cart.pays'], ['Cart » pays']])
  expect(digests).toEqual([{ key_digest: toDigest('Cart pays'), case_number: 1 }])
})
