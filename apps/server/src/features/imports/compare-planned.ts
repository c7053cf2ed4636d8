import { compareCase, type CurrentCase, toTexts } from './compare-case.ts'
import { type Comparison, digestTexts } from './compare-texts.ts'
import type { WaitingCase } from './plan-case.ts'
import type { SourceLink } from './source-links.queries.ts'

/**
 * Compares what is planned with what is here. A file of this project itself has no earlier import: whatever it says differently was
 * edited in it.
 */
export function comparePlanned(
  planned: WaitingCase,
  current: CurrentCase,
  link: SourceLink | undefined,
  format: string,
): Comparison {
  const { own } = planned
  if (own?.is_self === true) {
    const base = { field_digests: digestTexts(toTexts(current)) }
    // Only a sheet has cells that people can have emptied.
    return compareCase(planned, current, base, { isSameFormat: own.columns !== null, names: own.columns })
  }
  if (link === undefined) throw new Error('A test case of another source has no link')
  return compareCase(planned, current, link, { isSameFormat: link.format === format, names: own?.columns ?? null })
}
