import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

import type { Drafts } from '../../drafts/drafts.ts'
import { getCaseItem } from '../../drafts/unsent-cases.ts'
import { type Comparison, compareVersions } from './compare-versions.ts'
import { editedFields } from './edited-fields.ts'

/** Changes of a test case that the server does not have yet. */
export interface CaseDraft {
  readonly changes: UpdateTestCaseBody
  /** The values of the same fields before. */
  readonly before: Partial<TestCase>
  /** The version that the changes are based on. */
  readonly version: number
}

/** The drafts of a project by the ids of its test cases; the new test case has an empty one. */
export interface CaseDraftStore {
  read(caseId: string): CaseDraft | null
  save(caseId: string, draft: CaseDraft): void
  remove(caseId: string): void
}

export function createCaseDraftStore(drafts: Drafts, projectId: string): CaseDraftStore {
  const getItem = (caseId: string) => getCaseItem(projectId, caseId)
  return {
    read: (caseId) => parseDraft(drafts.read(getItem(caseId))?.text),
    save: (caseId, draft) => void drafts.save(getItem(caseId), JSON.stringify(draft), String(draft.version)),
    remove: (caseId) => drafts.remove(getItem(caseId)),
  }
}

/** Compares a draft with the test case, which may have changed since. */
export const rebaseDraft = ({ changes, before }: CaseDraft, stored: TestCase): Comparison =>
  compareVersions({ ...stored, ...before }, changes, stored)

function parseDraft(text: string | undefined): CaseDraft | null {
  if (text === undefined) return null
  try {
    const { changes, before, version } = JSON.parse(text) as CaseDraft
    const known = Object.entries(changes).filter(([field]) => field === 'fields' || Object.hasOwn(editedFields, field))
    return known.length === 0 ? null : { changes: Object.fromEntries(known), before, version }
  } catch {
    return null
  }
}
