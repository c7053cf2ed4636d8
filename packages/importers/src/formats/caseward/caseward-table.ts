import { parseSteps, parseTags, unescapeFormula } from '@caseward/case-files/cell-text'
import { parseEstimate } from '@caseward/case-files/estimate-text'
import { splitPath } from '@caseward/case-files/folder-tree'

import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { splitSteps } from '../../steps/split-steps.ts'
import type { Columns, TableRow } from '../../tables/table.ts'
import { Folders } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'

/** The columns that every CSV and Excel file of Caseward has. */
const SIGNS = ['id', 'title', 'folder', 'priority', 'type', 'precondition', 'expected_result', 'tags', 'automation_key']
const KNOWN = [...SIGNS, 'steps', 'step action', 'step expected', 'shared_steps', 'owner', 'estimate', 'template']

/** Values by the names under which imports compare them, and their columns. */
const VALUES: readonly [name: string, ...headings: string[]][] = [
  ['title', 'title'],
  ['folder_id', 'folder'],
  ['priority', 'priority'],
  ['type', 'type'],
  ['precondition', 'precondition'],
  ['steps', 'steps', 'step action'],
  ['expected_result', 'expected_result'],
  ['tags', 'tags'],
  ['automation_keys', 'automation_key'],
  ['owner_id', 'owner'],
  ['estimate', 'estimate'],
]

/** Test cases as Caseward itself exports them as CSV or Excel. Rows of its own project change what they were edited to. */
export const casewardTable: TableFormat = {
  system: 'caseward',
  format: 'caseward-csv',
  matches: (columns) =>
    columns.has(...SIGNS) && (columns.has('steps') || columns.has('step action')) && !columns.has('Section'),
  async *read(tables, context) {
    for (const table of tables) yield* readTable(table, context)
  },
}

async function* readTable(table: HeadedTable, { losses }: ReadContext): AsyncGenerator<ImportRecord> {
  const { columns } = table
  // In CSV, texts that a spreadsheet would run have an apostrophe before them.
  const unescape = table.table.name === '' ? unescapeFormula : (cell: string) => cell
  const getText = ({ cells }: TableRow, name: string): string => {
    const [index] = columns.all(name)
    return index === undefined ? '' : unescape(cells[index] ?? '').replaceAll('\r\n', '\n')
  }
  const folders = new Folders()
  const known = VALUES.flatMap(([name, ...headings]) =>
    headings.some((heading) => columns.has(heading)) ? [name] : [],
  )
  const custom = findCustomColumns(columns)
  let group: TableRow[] = []
  for await (const row of readBody(table, losses)) {
    if (group.length > 0 && !continues(row, group[0])) {
      yield* toRecords(group)
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield* toRecords(group)

  /** A row of another step has only the id of its test case. */
  function continues(row: TableRow, first: TableRow | undefined): boolean {
    if (first === undefined || !columns.has('step action')) return false
    const [id, title] = [getText(row, 'id'), getText(row, 'title')]
    return title === '' && (id === '' || id === getText(first, 'id'))
  }

  function readStepRows(rows: readonly TableRow[]): StepRecord[] {
    return rows
      .map((row) => ({ action: getText(row, 'step action'), expected: getText(row, 'step expected') }))
      .filter(({ action, expected }) => action !== '' || expected !== '')
  }

  function toRecords(rows: readonly TableRow[]): ImportRecord[] {
    const [first] = rows
    if (first === undefined) return []
    const get = (name: string) => getText(first, name)
    const { key: folder, records } = folders.add(splitPath(get('folder')))
    const id = get('id').trim()
    const estimate = parseEstimate(get('estimate'))
    const tags = parseTags(get('tags'))
    return [
      ...records,
      createCase({
        key: id === '' ? null : id,
        title: get('title'),
        folder,
        position: folders.next(folder),
        template: get('template') === 'text' ? 'text' : 'steps',
        precondition: get('precondition'),
        steps: columns.has('step action') ? readStepRows(rows) : readSteps(get('steps')),
        expected_result: get('expected_result'),
        priority: get('priority'),
        type: get('type'),
        tags,
        estimate: typeof estimate === 'string' ? null : estimate,
        owner: get('owner'),
        automation_keys: [get('automation_key').trim()].filter((key) => key !== ''),
        fields: Object.fromEntries(
          custom.flatMap(({ heading, index }) => {
            const text = unescape(first.cells[index] ?? '')
            return text === '' ? [] : [[heading, text] as const]
          }),
        ),
        own: {
          number: null,
          order: null,
          archived_at: null,
          merged_into: null,
          step_groups: [],
          fields: {},
          aliases: [],
          sources: [],
          owner_id: '',
          created_by_id: '',
          updated_by_id: '',
          columns: [...known, ...custom.map(({ heading }) => `fields.${heading}`)],
        },
      }),
    ]
  }
}

/** Cells that people have rewritten are split as those of other sheets. */
function readSteps(cell: string): readonly StepRecord[] {
  const steps = parseSteps(cell)
  return typeof steps === 'string' ? splitSteps({ rule: 'numbered', action: cell, expected: '' }).steps : steps
}

function findCustomColumns({ names }: Columns): { heading: string; index: number }[] {
  const known = new Set(KNOWN.map((name) => name.replaceAll('_', ' ')))
  return names.flatMap((heading, index) =>
    heading === '' || known.has(heading.toLowerCase().replaceAll('_', ' ')) ? [] : [{ heading, index }],
  )
}
