import { describe, expect, it } from 'vitest'

import { StartError } from '../start-error.ts'
import { requireCompatibleSchema } from './executed-migrations.ts'
import { getFirstCompatibleVersion, isOlderVersion, parseMigration, toTransactionText } from './migration-files.ts'

const CONCURRENT = `-- no transaction
-- Finds the tests of a person; there are many.
create index concurrently if not exists tests_person on tests (person_id);
alter table tests validate constraint tests_person_check;
`

describe('parseMigration', () => {
  it('returns the statements of a file that starts with `-- no transaction`', () => {
    expect(parseMigration('0050_tests_person', CONCURRENT).statements).toEqual([
      'create index concurrently if not exists tests_person on tests (person_id)',
      'alter table tests validate constraint tests_person_check',
    ])
  })

  it('returns a transaction for any other file', () => {
    expect(parseMigration('0050_tests_person', 'create table people ()').statements).toBeNull()
  })

  it.each([
    'update tests set person_id = null',
    'create index concurrently tests_person on tests (person_id)',
    'create index if not exists tests_person on tests (person_id)',
  ])('refuses %j outside of a transaction', (statement) => {
    expect(() => parseMigration('0050_tests_person', `-- no transaction\n${statement};`)).toThrow(statement)
  })
})

describe('toTransactionText', () => {
  it('creates the indexes of a migration without a transaction in one', () => {
    const text = toTransactionText(parseMigration('0050_tests_person', CONCURRENT))
    expect(text).toContain('create index if not exists tests_person on tests (person_id);')
  })
})

describe('requireCompatibleSchema', () => {
  const executed = new Set(['0001_users_and_projects', '9998_labels', '9999_contract_0_2_0_old_labels'])

  it('refuses a version before the first one that works without what was removed', () => {
    expect(() => requireCompatibleSchema(executed, '0.1.4')).toThrow(StartError)
    expect(() => requireCompatibleSchema(executed, '0.1.4')).toThrow('works only with 0.2.0 and later')
  })

  it.each(['0.2.0', '0.10.0', '1.0.0'])('accepts version %s', (version) => {
    expect(() => requireCompatibleSchema(executed, version)).not.toThrow()
  })

  it('reads the version from names of migrations that remove something only', () => {
    expect(getFirstCompatibleVersion('0012_contracts')).toBeNull()
    expect(getFirstCompatibleVersion('0051_contract_1_12_3_old_keys')).toBe('1.12.3')
  })
})

describe('isOlderVersion', () => {
  it.each([
    ['0.1.0', '0.1.1', true],
    ['0.9.0', '0.10.0', true],
    ['1.0.0', '0.9.9', false],
    ['0.2.0', '0.2.0', false],
    ['0.2.0-rc.1', '0.2.0', false],
  ])('compares %s with %s', (version, other, expected) => {
    expect(isOlderVersion(version, other)).toBe(expected)
  })
})
