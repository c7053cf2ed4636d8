import { expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { requireSupportedDatabase, getUnsupportedReason } from './check-server-version.ts'

const usual = { number: 150_000, version: '15.0', encoding: 'UTF8' }

it('takes PostgreSQL 15 and later, encoded in UTF-8', async () => {
  expect(getUnsupportedReason(usual)).toBeNull()
  expect(getUnsupportedReason({ ...usual, number: 180_004, version: '18.4' })).toBeNull()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  await requireSupportedDatabase(connection)
})

it('refuses an older one, and says which is needed', () => {
  const old = { ...usual, number: 140_012, version: '14.12 (Debian 14.12-1)' }
  expect(getUnsupportedReason(old)).toBe('it is version 14.12 (Debian 14.12-1), and 15 or later is needed.')
})
