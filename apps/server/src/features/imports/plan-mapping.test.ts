import { expect, it } from 'vitest'

import { NO_FIELDS } from '../fields/field-definitions.ts'
import type { FieldStatistics } from '@caseward/importers/read-statistics'
import type { ImportReading } from './import-summary.ts'
import { resolveMapping } from './plan-mapping.ts'

const readFields = (fields: readonly FieldStatistics[]): ImportReading => ({
  counts: [],
  steps: 0,
  encoding: null,
  losses: [],
  questions: [],
  fields: [...fields],
  priorities: [],
  types: [],
  duplicateKeys: [],
  issueIdCount: 0,
})

it('resolveMapping creates up to 30 custom fields, 5 of them long texts, and keeps the others in the details', () => {
  const fields = Array.from({ length: 41 }, (_, index) => ({
    name: `Field ${index + 1}`,
    filled: 3,
    values: [`a ${index}`, `b ${index}`, `c ${index}`],
    longest: 3,
    // The first six are long.
    hasLines: index < 6,
  }))
  const { shownFields, needsSettings } = resolveMapping(
    readFields(fields),
    {},
    { system: 'testrail', fields: NO_FIELDS, canCreate: true },
  )
  const ends = shownFields.map(({ to }) => to)
  expect(ends).toHaveLength(41)
  expect(ends.flatMap((to, index) => (to === 'details' ? [index] : []))).toEqual([
    5, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
  ])
  expect(ends.slice(0, 3)).toEqual(['new:field_1', 'new:field_2', 'new:field_3'])
  expect(needsSettings).toBe(true)
})
