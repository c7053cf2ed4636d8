import { expect, it } from 'vitest'

import { getInitials } from './get-initials.ts'

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Juan Carlos de la Vega', 'JV'],
  ['👩‍🔬 Curie', '👩‍🔬C'],
  ['', ''],
])('shortens the name “%s” to “%s”', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})
