import { MAX_ROW_COMBINATIONS, type ResultRow } from '@caseward/contract/result-rows'
import { RESULT_STATUSES } from '@caseward/contract/results'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { ColumnsOf } from '../../platform/database/columns.ts'
import { toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { STEP_STATE } from '../step-results/step-results.queries.ts'
import { resultFields } from './result-columns.ts'

/**
 * The first line of a text that is not blank. Only its start is read: a long text is stored in parts
 * (https://www.postgresql.org/docs/current/storage-toast.html).
 * @param text SQL of the text
 */
export const buildFirstLine = (text: string): string =>
  String.raw`nullif(left(split_part(translate(ltrim(left(${text}, 400), E' \t\r\n'), E'\r', E'\n'), E'\n', 1), 200), '')`

/** Whether a result `r` has a combination with a note. */
const HAS_COMBINATION_NOTE = `translate(r.combination_summary, '01234', '') <> ''`

/** The start of a note without how often a test was attempted: what went wrong says more. */
const skipAttempts = (note: string): string =>
  String.raw`case when left(${note}, 10) = 'Failed in '
    then regexp_replace(left(${note}, 500), '^Failed in [0-9]+ attempts\.\s+(Attempt [0-9]+: )?', '') else ${note} end`

/**
 * The first line of the note of a result `r` that says what happened, or else of the joined note `w`; see
 * {@link buildJoinCombinationNote}.
 */
export const NOTE_LINE = `coalesce(${buildFirstLine(skipAttempts('r.note'))}, ${buildFirstLine('w.note')})`

const LETTERS = RESULT_STATUSES.map((status) => status[0]).join('')
/**
 * The statuses of the combinations of a result `r`, the first ones in their order, each a letter; null without any. Lists of names
 * would make a page of rows a quarter longer.
 */
const COMBINATION_STATUSES = `translate(left(r.combination_summary, ${MAX_ROW_COMBINATIONS}), '0123456789', '${LETTERS}${LETTERS}')`
/** The part of a row in JSON with the statuses of the combinations. */
export const COMBINATION_STATUSES_FIELD = `coalesce(',"combination_statuses":"' || ${COMBINATION_STATUSES} || '"', '')`
/** How many more there are; null for none. */
export const MORE_COMBINATIONS = `nullif(greatest(length(r.combination_summary) - ${MAX_ROW_COMBINATIONS}, 0), 0)`

export const LINK_COUNT = 'coalesce(r.link_count, 0)'
export const ATTACHMENT_COUNT = 'coalesce(r.attachment_count, 0)'
export const COMMENT_COUNT = 'coalesce(r.comment_count, 0)'
/** The label and address of the joined defect `d`, or null. */
export const FIRST_DEFECT = `case when d.url is not null then json_build_object('label', d.label, 'url', d.url) end`

const { id, test_case_id, test_case_title, status, elapsed, tested_by, tested_at } = resultFields

/**
 * The fields of a row: columns of `test_results r`, its test case `c`, its first defect `d` and the note `w` of a combination; see
 * {@link buildJoinTestCase}, {@link buildJoinDefect} and {@link buildJoinCombinationNote}.
 */
export const resultRowFields: ColumnsOf<Omit<ResultRow, 'lacks_fields'>, ProjectRef> = {
  id,
  test_case_id,
  test_case_title,
  folder_id: { sql: 'c.folder_id', encode: toPlainJsonString },
  priority: { sql: 'c.priority', encode: toPlainJsonString },
  type: { sql: 'c.type', encode: toPlainJsonString },
  tags: { sql: `coalesce(to_json(c.tags), '[]')`, encode: toRawJson },
  status,
  note_line: { sql: `to_json(${NOTE_LINE})`, encode: toRawJson },
  elapsed,
  estimate: { sql: 'c.estimate', encode: toRawJson },
  tested_by,
  tested_at,
  assigned_to: { sql: 'r.assigned_to', encode: toPlainJsonString },
  step_state: { sql: STEP_STATE, encode: toPlainJsonString },
  attachment_count: { sql: ATTACHMENT_COUNT, encode: toRawJson },
  comment_count: { sql: COMMENT_COUNT, encode: toRawJson },
  link_count: { sql: LINK_COUNT, encode: toRawJson },
  defect: { sql: FIRST_DEFECT, encode: toRawJson },
  combination_statuses: { sql: COMBINATION_STATUSES, encode: toPlainJsonString, isOptional: true },
  more_combinations: { sql: MORE_COMBINATIONS, encode: toRawJson, isOptional: true },
}

/**
 * Joins a result `r` with its test case `c`, if there still is one. The limit makes PostgreSQL look up each test case,
 * whatever number of rows it expects, and not read all of the project.
 * @param projectId SQL of the project's id. On a distributed database, it is a parameter in statements about one project: Citus
 *   finds the node only by that
 */
export const buildJoinTestCase = (projectId: string): string => `
  left join lateral (
    select * from test_cases where project_id = ${projectId} and number = r.case_number limit 1
  ) c on true`

/**
 * Joins a result `r` with its first link of kind `defect`. PostgreSQL looks for none at results without links.
 * @param projectId as for {@link buildJoinTestCase}
 */
export const buildJoinDefect = (projectId: string): string => `
  left join lateral (
    select label, url from links
    where project_id = ${projectId} and run_id = r.run_id and result_id = r.id and kind = 'defect' and r.link_count > 0
    order by id limit 1
  ) d on true`

/**
 * Joins a result `r` with the note of its worst combination that has one. PostgreSQL looks for none at results whose combinations
 * have no notes.
 * @param projectId as for {@link buildJoinTestCase}
 */
export const buildJoinCombinationNote = (projectId: string): string => `
  left join lateral (
    select note from result_combinations k
    where k.project_id = ${projectId} and k.run_id = r.run_id and k.result_id = r.id and k.note is not null
      and ${HAS_COMBINATION_NOTE}
    order by array_position(array['failed', 'blocked', 'retest', 'not_tested', 'passed']::result_status[], k.status), k.place
    limit 1
  ) w on true`
