import { createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import type { Columns, TableRow } from '../../tables/table.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { groupRows, type Rows } from '../group-rows.ts'

const TYPE = ['Issue Type', 'IssueType']
const GHERKIN = ['Gherkin Definition', 'Gherkin definition', 'Cucumber Scenario']
const GENERIC = ['Unstructured Definition', 'Generic Test Definition']
const FOLDER = ['Test Repo', 'Test Repository Path', 'Repository Folder']
const KNOWN = [
  ...TYPE,
  ...GHERKIN,
  ...GENERIC,
  ...FOLDER,
  'Issue ID',
  'Issue Key',
  'Test Type',
  'Test Summary',
  'Summary',
  'Test Priority',
  'Priority',
  'Action',
  'Data',
  'Result',
  'Precondition',
  'Precondition Type',
  'Test Set',
  'Description',
  'Labels',
  'Links',
  'Assignee',
]

/** What each row has for itself, or names further objects. */
const OF_ROWS = ['Action', 'Data', 'Result', 'Precondition', 'Test Set']

export const xrayCsv: TableFormat = {
  system: 'xray',
  format: 'xray-csv',
  matches: (columns) => columns.has('Issue ID', 'Action', 'Result'),
  async *read(tables, context) {
    for (const table of tables) yield* readTable(table, context)
  },
}

const groups = (table: HeadedTable, { losses }: ReadContext) =>
  groupRows(
    table,
    losses,
    (columns, row, last) => last === null || columns.get(row, 'Issue ID') !== columns.get(last, 'Issue ID'),
  )

const getKind = (columns: Columns, row: TableRow): string =>
  columns
    .get(row, ...TYPE)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

async function* readTable(table: HeadedTable, context: ReadContext): AsyncGenerator<ImportRecord> {
  const { columns } = table
  // Preconditions and test sets are issues of their own, which tests name by their id.
  const preconditions = new Map<string, string>()
  const sets = new Map<string, { name: string; cases: string[] }>()
  for await (const [row] of groups(table, { ...context, losses: context.losses })) {
    const id = columns.get(row, 'Issue ID')
    const text = columns.get(row, 'Test Summary', 'Summary')
    const kind = getKind(columns, row)
    if (kind === 'precondition') preconditions.set(id, joinTexts([text, columns.get(row, 'Description')]))
    else if (kind === 'testset') sets.set(id, { name: text, cases: [] })
  }
  const folders = new Folders()
  for await (const rows of groups(table, context)) {
    const [row] = rows
    const kind = getKind(columns, row)
    if (kind === 'precondition' || kind === 'testset') continue
    const key = columns.get(row, 'Issue Key') || columns.get(row, 'Issue ID')
    for (const set of listNames(columns, rows, 'Test Set')) sets.get(set)?.cases.push(key)
    yield* readCase(columns, rows, folders, preconditions)
  }
  for (const [key, { name, cases }] of sets) yield { kind: 'plan', key, name, cases }
}

const joinTexts = (texts: readonly string[]) => [...new Set(texts)].filter((text) => text !== '').join('\n\n')

const listNames = (columns: Columns, rows: Rows, name: string): string[] => [
  ...new Set(rows.flatMap((row) => splitList(columns.get(row, name), /[;,]/))),
]

function* readCase(
  columns: Columns,
  rows: Rows,
  folders: Folders,
  preconditions: ReadonlyMap<string, string>,
): Generator<ImportRecord> {
  const [row] = rows
  const get = (...names: string[]) => rows.map((each) => columns.get(each, ...names)).find((text) => text !== '') ?? ''
  const { key: folder, records } = folders.add(splitFolderPath(get(...FOLDER), '/'))
  yield* records
  const [gherkin, generic] = [get(...GHERKIN), get(...GENERIC)]
  const key = columns.get(row, 'Issue Key') || columns.get(row, 'Issue ID')
  yield createCase({
    key: key === '' ? null : key,
    title: get('Test Summary', 'Summary') || `Test ${key}`,
    folder,
    position: folders.next(folder),
    markup: 'jira',
    precondition: listNames(columns, rows, 'Precondition')
      .map((name) => preconditions.get(name) ?? name)
      .join('\n\n'),
    descriptions: [{ heading: 'Description', text: get('Description') }],
    ...(gherkin === ''
      ? { steps: rows.map((each): StepRecord => readStep(columns, each)) }
      : { template: 'gherkin' as const, step_text: { rule: 'gherkin' as const, action: gherkin, expected: '' } }),
    priority: get('Test Priority', 'Priority'),
    type: get('Test Type'),
    tags: splitList(get('Labels'), /[;,\s]/),
    owner: get('Assignee'),
    automation_keys: generic === '' ? [] : [generic],
    fields: columns.restOf(rows, KNOWN, OF_ROWS),
    links: splitList(get('Links'), /[;,]/).map((target): LinkRecord => ({ target, kind: 'requirement' })),
  })
}

const readStep = (columns: Columns, row: TableRow): StepRecord => ({
  action: columns.get(row, 'Action'),
  data: columns.get(row, 'Data'),
  expected: columns.get(row, 'Result'),
})
