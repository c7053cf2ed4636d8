import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createCaseIdFinder } from './case-ids.ts'

const web = createCaseIdFinder('WEB')

describe('ids in a text', () => {
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
  ])('in %j are %j', { tags: ['spec:upload/junit-elements-to-test-cases-decided'] }, (text, numbers) => {
    expect(web.findAll(text)).toEqual(numbers)
  })

  it('are never those of a project whose prefix is a part of this one, or the other way round', () => {
    expect(createCaseIdFinder('EB').findAll('WEB-12')).toEqual([])
    expect(createCaseIdFinder('WEBX').findAll('WEB-12')).toEqual([])
  })

  it('are found wherever they stand between characters that are neither letter nor digit', () => {
    const around = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\p{L}\p{N}]/gu, ''))
    const number = fc.integer({ min: 1, max: 2_147_483_647 })
    fc.assert(
      fc.property(around, fc.constantFrom('WEB-', 'WEB_', 'web-', 'web_'), number, around, (left, id, found, right) => {
        expect(web.findAll(`${left}${id}${found}${right}`)).toEqual([found])
      }),
    )
  })

  it('are never found with a letter or digit on either side', () => {
    const glued = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((text) => /^[\p{L}\p{N}]$/u.test(text))
    fc.assert(
      fc.property(glued, fc.integer({ min: 1, max: 9999 }), fc.boolean(), (character, number, before) => {
        const text = before ? `${character}WEB-${number}` : `WEB-${number}${character}`
        // A digit behind the id is simply part of its number.
        fc.pre(before || !/\d/.test(character))
        expect(web.findAll(text)).toEqual([])
      }),
    )
  })

  it('are found without getting slow, whatever the text', () => {
    for (const text of ['WEB-'.repeat(20_000), `WEB-${'1'.repeat(70_000)}a`, 'web_1a'.repeat(12_000)]) {
      const start = performance.now()
      expect(web.findAll(text)).toEqual([])
      expect(performance.now() - start).toBeLessThan(1000)
    }
  })
})

describe('an id that a property gives', () => {
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
  ])('%j is the case %j', (text, number) => {
    expect(web.parse(text)).toBe(number)
  })
})
