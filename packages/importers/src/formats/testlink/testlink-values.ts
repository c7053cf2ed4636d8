import { type Answers, toText } from '../answers.ts'
import type { Raw } from '../caseward/read-values.ts'

/** Words for the numbers of TestLink. */
export const IMPORTANCE: ReadonlyMap<string, string> = new Map([
  ['3', 'High'],
  ['2', 'Medium'],
  ['1', 'Low'],
])

/** Manual test cases are what most are. */
export const TYPES: ReadonlyMap<string, string> = new Map([
  ['1', ''],
  ['2', 'Automated'],
])

export const STATES: ReadonlyMap<string, string> = new Map([
  ['1', 'Draft'],
  ['2', 'Ready for review'],
  ['3', 'Review in progress'],
  ['4', 'Rework'],
  ['5', 'Obsolete'],
  ['6', 'Future'],
  ['7', 'Final'],
])

/** The id that people know: `BB-12`. Some versions leave out the prefix. */
export function getKey(testCase: Raw, prefix: string): string {
  const id = toText(testCase['external_id']) || toText(testCase['tc_external_id'])
  return id.includes('-') ? id : `${prefix}-${id}`
}

export async function findPrefix(answers: Answers): Promise<string> {
  const [project] = await answers.list('project')
  return toText(project?.['prefix'])
}
