import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { isUuid } from '../../src/platform/http/ids.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../../src/features/test-cases/test-case-ids.ts'

const prefixes = fc.stringMatching(/^[A-Z]{2,5}$/)

describe('parseTestCaseNumber', () => {
  it('parses every id that formatTestCaseId formats', () => {
    fc.assert(
      fc.property(prefixes, fc.integer({ min: 1, max: 2_147_483_647 }), (prefix, number) => {
        expect(parseTestCaseNumber(formatTestCaseId(prefix, number), prefix)).toBe(number)
      }),
    )
  })

  it('accepts only one spelling of an id', () => {
    const near = fc.tuple(
      fc.constantFrom('WEB', 'web', 'WE', 'WEBX', ''),
      fc.constantFrom('-', '_', '--', ''),
      fc.string(),
    )
    fc.assert(
      fc.property(near, ([prefix, dash, rest]) => {
        const id = prefix + dash + rest
        const number = parseTestCaseNumber(id, 'WEB')
        expect(number === null || formatTestCaseId('WEB', number) === id).toBe(true)
      }),
    )
  })

  it.each([
    ['WEB-0'],
    ['WEB-01'],
    ['WEB-+1'],
    ['WEB-1.0'],
    ['WEB-1e3'],
    ['WEB- 1'],
    ['WEB-1\n'],
    ['WEB-١'],
    ['WEB-2147483648'],
  ])('returns null for %j', (id) => {
    expect(parseTestCaseNumber(id, 'WEB')).toBeNull()
  })
})

describe('isUuid', () => {
  it('returns true for a UUID v7', () => {
    expect(isUuid(uuidv7())).toBe(true)
  })

  it('returns false for other spellings of an id', () => {
    const id = uuidv7()
    for (const other of [
      id.toUpperCase(),
      `{${id}}`,
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      `urn:uuid:${id}`,
      '',
    ]) {
      expect(isUuid(other)).toBe(false)
    }
  })
})
