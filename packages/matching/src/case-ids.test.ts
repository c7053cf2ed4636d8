import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createCaseIdFinder } from './case-ids.ts'

const web = createCaseIdFinder('WEB')

describe('CaseIdFinder.findAll', () => {
  it.each<[string, number[]]>([
    ['[WEB-12] logs in', [12]],
    ['test_web_12_logs_in', [12]],
    ['WEB-12, WEB-13: both', [12, 13]],
    ['WEB-12', [12]],
    ['WEB_12', [12]],
    ['web-12', [12]],
    ['logs in (WEB-12)', [12]],
    ['@web-12', [12]],
    ['WEB-12.', [12]],
    ['WEB-12-13', [12]],
    ['WEB-12_13', [12]],
    ['WEB-012', [12]],
    ['WEB-2147483647', [2_147_483_647]],
    ['WEB-12 and again web_12', [12]],
    ['WEB-3 WEB-1 WEB-2', [3, 1, 2]],
    ['APP-WEB-12', [12]],
    ['🐞WEB-12🐞', [12]],
    ['C4 diagram', []],
    ['WEB', []],
    ['WEB-', []],
    ['WEB12', []],
    ['WEB 12', []],
    ['WEB--12', []],
    ['Web-12', []],
    ['wEB-12', []],
    ['APP-12', []],
    ['WEB-0', []],
    ['WEB-2147483648', []],
    ['WEB-99999999999999999999', []],
    ['MYWEB-12', []],
    ['1WEB-12', []],
    ['ÄWEB-12', []],
    ['ßweb_12', []],
    ['本WEB-12', []],
    ['٣WEB-12', []],
    ['WEB-12a', []],
    ['WEB-12Ä', []],
    ['WEB-12本', []],
    ['WEB-12１', []],
    ['WEB-１２', []],
    ['WEB-12² squared', []],
    ['testWEB_12', []],
    ['', []],
  ])(
    'finds in %j the case numbers %j',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    (text, numbers) => {
      expect(web.findAll(text)).toEqual(numbers)
    },
  )

  it('does not find ids of a project whose prefix contains, or is contained in, another prefix', () => {
    expect(createCaseIdFinder('EB').findAll('WEB-12')).toEqual([])
    expect(createCaseIdFinder('WEBX').findAll('WEB-12')).toEqual([])
  })

  it('finds every id that is surrounded by characters other than letters and digits', () => {
    const separator = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\p{L}\p{N}]/gu, ''))
    const number = fc.integer({ min: 1, max: 2_147_483_647 })
    fc.assert(
      fc.property(
        separator,
        fc.constantFrom('WEB-', 'WEB_', 'web-', 'web_'),
        number,
        separator,
        (before, prefix, caseNumber, after) => {
          expect(web.findAll(`${before}${prefix}${caseNumber}${after}`)).toEqual([caseNumber])
        },
      ),
    )
  })

  it('does not find an id with a letter or digit on either side', () => {
    const letterOrDigit = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((text) => /^[\p{L}\p{N}]$/u.test(text))
    fc.assert(
      fc.property(letterOrDigit, fc.integer({ min: 1, max: 9999 }), fc.boolean(), (character, number, isBefore) => {
        const text = isBefore ? `${character}WEB-${number}` : `WEB-${number}${character}`
        // A digit after the id would be part of its number.
        fc.pre(isBefore || !/\d/.test(character))
        expect(web.findAll(text)).toEqual([])
      }),
    )
  })

  it('searches long texts without ids in under a second of processor time', () => {
    for (const text of ['WEB-'.repeat(20_000), `WEB-${'1'.repeat(70_000)}a`, 'web_1a'.repeat(12_000)]) {
      const start = process.cpuUsage()
      expect(web.findAll(text)).toEqual([])
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
    }
  })
})

describe('CaseIdFinder.parse', () => {
  it.each<[string, number | null]>([
    ['WEB-12', 12],
    ['web_12', 12],
    ['WEB-012', 12],
    ['[WEB-12]', null],
    ['WEB-12a', null],
    ['Web-12', null],
    ['APP-12', null],
    ['WEB-0', null],
    ['WEB-2147483648', null],
    ['12', null],
    ['', null],
  ])('returns for %j the case number %j', (text, number) => {
    expect(web.parse(text)).toBe(number)
  })
})
