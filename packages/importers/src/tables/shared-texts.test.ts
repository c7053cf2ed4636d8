import { expect, it } from 'vitest'

import { SharedTexts } from './shared-texts.ts'

it('returns thousands of texts by their number, whatever characters and halves of characters they have', () => {
  const some = ['', 'Öffne 中', '😀', '\uD83D', '\uDE00', 'a\r\nb']
  const texts = new SharedTexts()
  const added = Array.from({ length: 5000 }, (_, number) => `${number}${some[number % some.length]}`)
  for (const text of [...some, ...added]) texts.add(text)
  const found = [...some, ...added].map((_, number) => texts.get(number))
  expect(found).toEqual([...some, ...added].map((text) => text.toWellFormed()))
  expect([-1, 5006, 9000, Number.NaN].map((number) => texts.get(number))).toEqual(['', '', '', ''])
})
