import { formatNumberOf } from '@caseward/matching/format-amounts'

export { formatCount, formatNumberOf, formatShare, formatWholeNumber } from '@caseward/matching/format-amounts'

/** Up to here the server counts tests, and test cases that match a filter by a custom field. */
const MAX_TOTAL = 10_000

/** Formats the total of such a list: "812 tests", and "10,000+ tests" where the server stops counting. */
export const formatTotalOf = (total: number, singular: string): string =>
  total >= MAX_TOTAL ? formatNumberOf(MAX_TOTAL, singular).replace(' ', '+ ') : formatNumberOf(total, singular)
