import { expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { requireSupportedDatabase, getUnsupportedReason } from './check-server-version.ts'

const supported = { number: 150_000, version: '15.0', encoding: 'UTF8' }

it('requireSupportedDatabase accepts PostgreSQL 15 and later with the encoding UTF-8', async () => {
  expect(getUnsupportedReason(supported)).toBeNull()
  expect(getUnsupportedReason({ ...supported, number: 180_004, version: '18.4' })).toBeNull()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  await requireSupportedDatabase(connection)
})

it('getUnsupportedReason names the required version for an older PostgreSQL', () => {
  const old = { ...supported, number: 140_012, version: '14.12 (Debian 14.12-1)' }
  expect(getUnsupportedReason(old)).toBe('it is PostgreSQL 14.12 (Debian 14.12-1), but 15 or later is required.')
})
