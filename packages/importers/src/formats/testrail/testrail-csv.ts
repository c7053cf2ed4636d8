import { ImportProblem } from '../../import-problem.ts'
import { createCase, type ImportRecord, type StepText } from '../../records.ts'
import { readDuration } from '../../steps/durations.ts'
import { type Columns, isBlank, type TableRow } from '../../tables/table.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'
import { toLinks } from './testrail-case.ts'

const SIGNS = ['Suite ID', 'Template', 'Section Depth', 'Steps (Step)', 'Section Description']
const AUTOMATION = ['Automation ID', 'automation_id', 'Case Automation ID']
const KNOWN = [
  'ID',
  'Case ID',
  'Title',
  'Section',
  'Section Hierarchy',
  'Section Depth',
  'Section Description',
  'Suite',
  'Suite ID',
  'Steps',
  'Steps (Step)',
  'Steps (Expected Result)',
  'Steps (Additional Info)',
  'Steps (References)',
  'Steps (Shared step ID)',
  'Expected Result',
  'Preconditions',
  'Mission',
  'Goals',
  'Priority',
  'Type',
  'Estimate',
  'References',
  'Labels',
  'Assigned To',
  'Created By',
  'Created On',
  'Updated By',
  'Updated On',
  ...AUTOMATION,
]

export const testrailRunCsv: TableFormat = {
  system: 'testrail',
  format: 'testrail-run-csv',
  matches: (columns) => columns.has('Section') && (columns.has('Tested On') || columns.has('Steps (Actual Result)')),
  async *read(tables, { losses }) {
    for (const { columns } of tables) {
      if (!columns.has('Case ID') || !columns.has('Status')) {
        const sentence =
          'This is a run of TestRail without the columns "Case ID" and "Status": results would have no case.'
        throw new ImportProblem('results_without_ids', `${sentence} Export it again with both.`)
      }
    }
    const [table] = tables
    if (table === undefined) return
    const { columns } = table
    const run = 'run'
    yield { kind: 'run', key: run, name: 'Run from TestRail', created_at: '' }
    for await (const row of readBody(table, losses)) {
      const get = (...names: string[]) => columns.get(row, ...names)
      yield {
        kind: 'result',
        run,
        case: get('Case ID'),
        status: get('Status'),
        note: get('Comment', 'Comments'),
        elapsed_seconds: readDuration(get('Elapsed')),
        person: get('Tested By'),
        at: get('Tested On'),
        defects: splitList(get('Defects')),
      }
    }
  },
}

export const testrailCsv: TableFormat = {
  system: 'testrail',
  format: 'testrail-csv',
  matches: (columns) => columns.has('Section') && SIGNS.some((sign) => columns.has(sign)),
  async *read(tables, context) {
    for (const table of tables) yield* readTable(table, context)
  },
}

/** What only the whole file tells. */
interface Survey {
  /** CR LF parts steps if any cell of the column has one: a cell without is one step then. */
  readonly isParted: boolean
  readonly suites: ReadonlySet<string>
}

async function survey(table: HeadedTable, { losses }: ReadContext): Promise<Survey> {
  let isParted = false
  const suites = new Set<string>()
  for await (const row of readBody(table, losses, false)) {
    isParted ||= table.columns.all('Steps (Step)').some((index) => row.cells[index]?.includes('\r\n'))
    const suite = table.columns.get(row, 'Suite')
    if (suite !== '' && suites.size < 2) suites.add(suite)
  }
  return { isParted, suites }
}

async function* readTable(table: HeadedTable, context: ReadContext): AsyncGenerator<ImportRecord> {
  const { columns } = table
  const facts = await survey(table, context)
  const folders = new Folders()
  const ancestors: string[] = []
  for await (const row of readBody(table, context.losses)) {
    if (isBlank(row)) continue
    const get = (...names: string[]) => columns.get(row, ...names)
    const suite = facts.suites.size > 1 ? [get('Suite')].filter((name) => name !== '') : []
    const path = [...suite, ...readPath(columns, row, ancestors)]
    const { key: folder, records } = folders.add(path)
    yield* records
    const key = get('ID')
    if (key === '') context.losses.add('no_key', { title: get('Title') })
    const separate = readSeparate(columns, row)
    const joined = separate === null ? readText(columns, row) : null
    yield createCase({
      key: key === '' ? null : key,
      title: get('Title'),
      folder,
      position: folders.next(folder),
      markup: 'testrail',
      template: /exploratory/i.test(get('Template')) ? 'exploratory' : 'steps',
      precondition: get('Preconditions'),
      descriptions: [
        { heading: 'Mission', text: get('Mission') },
        { heading: 'Goals', text: get('Goals') },
      ],
      step_text: separate === null ? joined : { ...separate, rule: facts.isParted ? 'crlf' : 'numbered' },
      expected_result: separate === null ? '' : get('Expected Result'),
      priority: get('Priority'),
      type: get('Type'),
      tags: splitList(get('Labels')),
      written_estimate: { text: get('Estimate') },
      owner: get('Assigned To'),
      automation_keys: [get(...AUTOMATION)].filter((text) => text !== ''),
      fields: columns.rest(row, KNOWN),
      links: toLinks(get('References')),
      created_by: get('Created By'),
      created_at: get('Created On'),
      updated_by: get('Updated By'),
      updated_at: get('Updated On'),
    })
  }
}

/** Steps in columns of their own; null if they are empty. */
function readSeparate(columns: Columns, { cells }: TableRow): Omit<StepText, 'rule'> | null {
  const find = (name: string) =>
    columns
      .all(name)
      .map((index) => cells[index] ?? '')
      .find((cell) => cell.trim() !== '') ?? ''
  const [action, expected] = [find('Steps (Step)'), find('Steps (Expected Result)')]
  return action.trim() === '' ? null : { action, expected }
}

/** The last column `Steps` that is not empty. */
function readText(columns: Columns, row: TableRow): StepText {
  const action =
    columns
      .all('Steps')
      .map((index) => row.cells[index] ?? '')
      .findLast((cell) => cell.trim() !== '') ?? ''
  const isCombined = /^[ \t]*Expected Result:[ \t]*\r?$/m.test(action)
  return { rule: isCombined ? 'combined' : 'numbered', action, expected: columns.get(row, 'Expected Result') }
}

/**
 * The path of a section. ` > ` may be part of a name, so that its hierarchy is split only if that gives as many names as the
 * section is deep; without a hierarchy, the depth tells which sections before it are its ancestors.
 */
function readPath(columns: Columns, row: TableRow, ancestors: string[]): readonly string[] {
  const section = columns.get(row, 'Section')
  if (section === '') return []
  const depth = columns.get(row, 'Section Depth')
  const parts = splitFolderPath(columns.get(row, 'Section Hierarchy'), ' > ')
  const isWhole = parts.at(-1) === section && (depth === '' || parts.length === Number(depth) + 1)
  const level = /^\d{1,3}$/.test(depth) ? Math.min(Number(depth), ancestors.length) : 0
  ancestors.splice(level, ancestors.length, section)
  return isWhole ? parts : [...ancestors]
}
