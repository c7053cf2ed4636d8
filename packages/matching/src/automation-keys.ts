import type { ReportedTest } from './attempt.ts'
import { normalizeKey } from './normalize-key.ts'

/** The normalized automation keys that a test matches. */
export interface AutomationKeyCandidates {
  /** Suite and name, class and name, file and name: the first that a test case has wins. */
  readonly full: readonly string[]
  /** The name alone: it must not match tests of several files or suites. */
  readonly name: string
}

/** Returns the keys by which a test finds its test case. */
export function getAutomationKeyCandidates({
  suite,
  name,
  classname = '',
  file,
}: Pick<ReportedTest, 'suite' | 'name' | 'classname' | 'file'>): AutomationKeyCandidates {
  const nameKey = normalizeKey(name)
  const full: string[] = []
  for (const place of [suite, classname, file]) {
    const placeKey = normalizeKey(place)
    // A place of separators only would make the name alone a full key.
    if (placeKey === '') continue
    const key = `${placeKey} ${nameKey}`.trim()
    if (!full.includes(key)) full.push(key)
  }
  return { full, name: nameKey }
}
