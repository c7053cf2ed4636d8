import type { ResultStatus } from '@caseward/contract/results'

import { testCaseId } from '../../platform/http/ids.ts'
import { nullableTextOf, nullableTimeOf, nullableWordOf, textOf, wordOf } from '../../platform/http/json-text.ts'
import type { ProjectPlace } from '../../access/project-cache.ts'

/** The columns of {@link ResultRow}, of `test_results r`. */
export const RESULT_COLUMNS = [
  'r.id',
  'r.case_number',
  'r.title',
  'r.status',
  'r.note',
  'r.elapsed',
  'r.tested_by',
  'r.tested_at',
] as const

export type ResultRow = readonly [
  id: string,
  /** Null once the case is deleted. */
  caseNumber: string | null,
  title: string,
  status: ResultStatus,
  note: string | null,
  elapsed: string | null,
  testedBy: string | null,
  testedAt: string | null,
]

/** A result as JSON. */
export function presentResult({ prefix }: ProjectPlace, row: readonly [...ResultRow, ...unknown[]]): string {
  const [id, caseNumber, title, status, note, elapsed, testedBy, testedAt] = row
  return (
    `{"id":${wordOf(id)},"test_case_id":${caseNumber === null ? 'null' : wordOf(testCaseId(prefix, caseNumber))},` +
    `"test_case_title":${textOf(title)},"status":${wordOf(status)},"note":${nullableTextOf(note)},` +
    `"elapsed":${elapsed},"tested_by":${nullableWordOf(testedBy)},"tested_at":${nullableTimeOf(testedAt)}}`
  )
}
