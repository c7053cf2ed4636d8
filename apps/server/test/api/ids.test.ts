import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { isUuid, testCaseId, testCaseNumber } from '../../src/platform/http/ids.ts'

const prefixes = fc.stringMatching(/^[A-Z]{2,5}$/)

describe('testCaseNumber', () => {
  it('reads back every id that was given out', () => {
    fc.assert(
      fc.property(prefixes, fc.integer({ min: 1, max: 2_147_483_647 }), (prefix, number) => {
        expect(testCaseNumber(testCaseId(prefix, number), prefix)).toBe(number)
      }),
    )
  })

  it('takes no two texts for the same case', () => {
    const near = fc.tuple(
      fc.constantFrom('WEB', 'web', 'WE', 'WEBX', ''),
      fc.constantFrom('-', '_', '--', ''),
      fc.string(),
    )
    fc.assert(
      fc.property(near, ([prefix, dash, rest]) => {
        const id = prefix + dash + rest
        const number = testCaseNumber(id, 'WEB')
        expect(number === null || testCaseId('WEB', number) === id).toBe(true)
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
  ])('knows no %j', (id) => {
    expect(testCaseNumber(id, 'WEB')).toBeNull()
  })
})

describe('isUuid', () => {
  it('knows the ids that the service makes', () => {
    expect(isUuid(uuidv7())).toBe(true)
  })

  it('knows an id in no other form than that it was given out in', () => {
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
