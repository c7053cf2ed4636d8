import type { ResultStatus } from '@caseward/contract/results'

import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import {
  toNullableJsonString,
  toNullableJsonTimestamp,
  toNullablePlainJsonString,
  toJsonString,
  toPlainJsonString,
} from '../../platform/http/json-text.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

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
export function presentResult({ prefix }: ProjectRef, row: readonly [...ResultRow, ...unknown[]]): string {
  const [id, caseNumber, title, status, note, elapsed, testedBy, testedAt] = row
  return (
    `{"id":${toPlainJsonString(id)},"test_case_id":${caseNumber === null ? 'null' : toPlainJsonString(formatTestCaseId(prefix, caseNumber))},` +
    `"test_case_title":${toJsonString(title)},"status":${toPlainJsonString(status)},"note":${toNullableJsonString(note)},` +
    `"elapsed":${elapsed},"tested_by":${toNullablePlainJsonString(testedBy)},"tested_at":${toNullableJsonTimestamp(testedAt)}}`
  )
}
