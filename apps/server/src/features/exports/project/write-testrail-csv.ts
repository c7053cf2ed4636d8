import { escapeFormula } from '@caseward/case-files/cell-text'
import { writeFieldValue } from '@caseward/case-files/custom-columns'

import { presentField } from '../../fields/fields.queries.ts'
import { selectFolders } from '../../folders/folders.queries.ts'
import type { CaseRow } from './case-sql.ts'
import { readCaseFields, readCases } from './project-records.ts'
import { readPeople, type TableSource, toListedCase } from './write-tables.ts'

/*
 * Test cases as TestRail's own CSV export has them, which other tools read: columns by name behind ID and Title, two columns called
 * Steps, CR LF between steps and LF within one, times in the form of the United States.
 */

interface Line {
  row: CaseRow
  path: readonly string[]
  getPerson: (id: string | null) => string
}

const STANDARD: readonly [heading: string, write: (line: Line) => string][] = [
  ['Created By', ({ row, getPerson }) => getPerson(row.created_by)],
  ['Created On', ({ row }) => formatTime(row.created_at)],
  ['Estimate', ({ row }) => formatEstimate(row.estimate)],
  ['Expected Result', ({ row }) => toLines(row.expected_result)],
  ['Labels', ({ row }) => row.tags.join(', ')],
  ['Preconditions', ({ row }) => toLines(row.precondition)],
  ['Priority', ({ row }) => capitalize(row.priority)],
  [
    'References',
    ({ row }) =>
      row.links
        .filter(({ kind }) => kind === 'requirement')
        .map(({ url }) => url)
        .join(', '),
  ],
  ['Section', ({ path }) => path.at(-1) ?? ''],
  ['Section Depth', ({ path }) => (path.length === 0 ? '' : String(path.length - 1))],
  ['Section Description', () => ''],
  ['Section Hierarchy', ({ path }) => path.join(' > ')],
  // Both of TestRail's: the steps with their expected results, and the steps of a text.
  ['Steps', ({ row }) => formatCombined(row.steps)],
  ['Steps', () => ''],
  ['Steps (Expected Result)', ({ row }) => formatSeparate(row.steps, 'expected')],
  ['Steps (Step)', ({ row }) => formatSeparate(row.steps, 'action')],
  ['Suite', () => 'Master'],
  ['Suite ID', () => 'S1'],
  ['Template', () => 'Test Case (Steps)'],
  ['Type', ({ row }) => formatType(row.type)],
  ['Updated By', ({ row, getPerson }) => getPerson(row.updated_by)],
  ['Updated On', ({ row }) => formatTime(row.updated_at)],
]
const NAMES = new Set(['id', 'title', ...STANDARD.map(([heading]) => heading.toLowerCase())])

/** Writes test cases as TestRail does. */
export async function* writeTestrailCsv({ snapshot, project, cases }: TableSource): AsyncGenerator<string> {
  const fields = await readCaseFields(snapshot, project.id)
  const people = await readPeople(snapshot, project.id)
  const getPerson = (id: string | null) => (id === null ? '' : (people.get(id)?.name ?? ''))
  const folders = await selectFolders(snapshot.db, project.id)
  const { getPath } = createNamePaths(folders)
  const custom = {
    fields: fields.list.filter(({ retired_at: at }) => at === null).map(presentField),
    people: [...people].map(([id, { name }]) => ({ id, name })),
  }
  const columns = [
    ...STANDARD,
    ...custom.fields.map((field): [string, (line: Line) => string] => [
      NAMES.has(field.name.toLowerCase()) ? `${field.name} (${field.key})` : field.name,
      ({ row }) => toLines(writeFieldValue(field, toListedCase(row, project, fields).fields?.[field.key], custom)),
    ]),
  ].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  yield `\uFEFF${formatLine(['ID', 'Title', ...columns.map(([heading]) => heading)])}`
  for await (const rows of readCases(snapshot, project, cases)) {
    yield rows
      .map((row) => {
        const line = { row, path: getPath(row.folder), getPerson }
        return formatLine([`C${row.number}`, row.title, ...columns.map(([, write]) => write(line))])
      })
      .join('')
  }
}

/** Every cell is quoted, and a line ends in CR LF. */
const formatLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`

/** CR LF separates steps: within a text a line ends in LF. */
const toLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** Steps in one column have numbers, also those without a text: `1. \r\n2. Paid`. */
function formatSeparate(steps: CaseRow['steps'], part: 'action' | 'expected'): string {
  return steps.map((step, index) => `${index + 1}. ${toLines(step[part])}`).join('\r\n')
}

const formatCombined = (steps: CaseRow['steps']): string =>
  steps
    .map(
      ({ action, expected }, index) => `${index + 1}. ${toLines(action)}\r\nExpected Result:\r\n${toLines(expected)}`,
    )
    .join('')

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `end_to_end` is `End to end`; what TestRail has itself is called as there. */
const formatType = (type: string): string =>
  type === 'smoke' ? 'Smoke & Sanity' : capitalize(type.replaceAll('_', ' '))

/** `1h 30m 5s`. */
function formatEstimate(seconds: number | null): string {
  if (seconds === null) return ''
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}

/** `10/29/2022 4:30 PM`, in UTC. */
function formatTime(iso: string): string {
  const time = new Date(iso)
  const hour = time.getUTCHours()
  const minute = String(time.getUTCMinutes()).padStart(2, '0')
  const day = `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`
  return `${day} ${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The names of folders from the top level down. */
export function createNamePaths(folders: readonly { id: string; name: string; parent_id: string | null }[]) {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const paths = new Map<string, readonly string[]>()
  const getPath = (id: string | null): readonly string[] => {
    if (id === null) return []
    const known = paths.get(id)
    if (known !== undefined) return known
    const folder = byId.get(id)
    const path = folder === undefined ? [] : [...getPath(folder.parent_id), folder.name]
    paths.set(id, path)
    return path
  }
  return { getPath }
}
