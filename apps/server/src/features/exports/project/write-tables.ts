import { formatSpreadsheetCsv } from '@caseward/case-files/csv'
import { createFolderTree } from '@caseward/case-files/folder-tree'
import { buildCaseTable, type CaseTable } from '@caseward/case-files/case-table'
import { type Column, type ListedCase } from '@caseward/case-files/file-columns'
import type { CustomColumns } from '@caseward/case-files/custom-columns'

import { presentField } from '../../fields/fields.queries.ts'
import { type ProjectFields, presentValues } from '../../fields/field-definitions.ts'
import { selectFolders } from '../../folders/folders.queries.ts'
import { formatTestCaseId } from '../../test-cases/test-case-ids.ts'
import type { CaseChoice, CaseRow } from './case-sql.ts'
import type { ExportSnapshot } from './export-snapshot.ts'
import { type ExportedProject, readCaseFields, readCases } from './project-records.ts'
import { PEOPLE } from './record-sql.ts'

/** What a table of test cases is made of. */
export interface TableSource {
  snapshot: ExportSnapshot
  project: ExportedProject
  cases: CaseChoice
  /** Whether owners are named by their email addresses. */
  hasEmails: boolean
  /** Whether each step is a row. */
  hasStepRows: boolean
}

/** Writes test cases as rows, the headings first. */
export async function* readCaseTable({
  snapshot,
  project,
  cases,
  hasEmails,
  hasStepRows,
}: TableSource): AsyncGenerator<string[][]> {
  const fields = await readCaseFields(snapshot, project.id)
  const people = await readPeople(snapshot, project.id)
  const { getPath } = createFolderTree(await selectFolders(snapshot.db, project.id))
  const custom: CustomColumns = {
    fields: fields.list.filter(({ retired_at: at }) => at === null).map(presentField),
    people: [...people].map(([id, { name }]) => ({ id, name })),
  }
  const names = { getPath, getOwner: (id: string) => nameOwner(people, id, hasEmails) }
  const used = await findUsedColumns(snapshot, project, cases)
  const table = buildCaseTable({ names, custom, isUsed: (column) => used[column] ?? true })
  const toRow = hasStepRows
    ? toStepRows(table)
    : { headings: table.headings, toRows: (item: ListedCase) => [table.toRow(item)] }
  yield [toRow.headings]
  for await (const rows of readCases(snapshot, project, cases)) {
    yield rows.flatMap((row) => toRow.toRows(toListedCase(row, project, fields)))
  }
}

/** Excel reads UTF-8 only with a byte order mark. */
export async function* writeCsv(source: TableSource): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of readCaseTable(source)) {
    yield (isFirst ? '\uFEFF' : '') + formatSpreadsheetCsv(rows)
    isFirst = false
  }
}

export type People = ReadonlyMap<string, { name: string; email: string }>

export async function readPeople(snapshot: ExportSnapshot, projectId: string): Promise<People> {
  const people = new Map<string, { name: string; email: string }>()
  for await (const rows of snapshot.read<{ key: string; name: string; email: string }>(PEOPLE, [projectId])) {
    for (const { key, name, email } of rows) people.set(key, { name, email })
  }
  return people
}

/** A name that several people have says nothing. */
function nameOwner(people: People, id: string, hasEmails: boolean): string {
  const person = people.get(id)
  if (person === undefined) return id
  if (hasEmails) return person.email
  const isShared =
    [...people.values()].filter(({ name }) => name.toLowerCase() === person.name.toLowerCase()).length > 1
  return isShared ? id : person.name
}

export function toListedCase(row: CaseRow, { prefix }: ExportedProject, fields: ProjectFields): ListedCase {
  const { number, folder, owner, step_groups: groups, fields: values, steps, priority, type, ...rest } = row
  return {
    ...rest,
    id: formatTestCaseId(prefix, number),
    folder_id: folder,
    owner_id: owner,
    priority: priority as ListedCase['priority'],
    type: type as ListedCase['type'],
    steps: steps.map(({ action, expected }, index) => ({ position: index + 1, action, expected })),
    automation_key: rest.automation_keys[0] ?? null,
    ...(values === null ? {} : { fields: presentValues(fields, values) }),
    ...(groups === null ? {} : { step_groups: groups }),
  }
}

/** Columns that a file has only if a test case has a value. */
async function findUsedColumns(
  snapshot: ExportSnapshot,
  { id }: ExportedProject,
  { sql, values }: CaseChoice,
): Promise<Partial<Record<Column, boolean>>> {
  const text = `
    select json_build_object('owner', count(c.owner_id) > 0, 'estimate', count(c.estimate) > 0,
      'shared_steps', count(*) filter (where c.step_groups is not null) > 0,
      'template', count(*) filter (where c.template <> 'steps') > 0)
    from test_cases c where c.project_id = $1 and ${sql}`
  for await (const [row] of snapshot.read<Partial<Record<Column, boolean>>>(text, [id, ...values])) return row ?? {}
  return {}
}

/** The same table with a row for each step: only the first row of a test case has its other values. */
function toStepRows({ columns }: CaseTable): {
  readonly headings: string[]
  readonly toRows: (testCase: ListedCase) => string[][]
} {
  const others = columns.filter(({ key }) => key !== 'steps' && key !== 'shared_steps')
  return {
    headings: [...others.map(({ heading }) => heading), 'step action', 'step expected'],
    toRows(testCase) {
      const first = others.map(({ write }) => write(testCase))
      const rest = others.map(({ key, write }) => (key === 'id' ? write(testCase) : ''))
      const [{ action, expected } = { action: '', expected: '' }, ...steps] = testCase.steps
      return [[...first, action, expected], ...steps.map((step) => [...rest, step.action, step.expected])]
    },
  }
}
