import { type CaseRecord, createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import type { Columns, TableRow } from '../../tables/table.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { TableFormat } from '../format.ts'
import { groupRows } from '../group-rows.ts'

const SCALE_STEP = 'Test Script (Step-by-Step) - Step'
const SCALE_DATA = 'Test Script (Step-by-Step) - Test Data'
const SCALE_RESULT = 'Test Script (Step-by-Step) - Expected Result'
const SCALE_KNOWN = [
  'Key',
  'Name',
  'Status',
  'Precondition',
  'Objective',
  'Folder',
  'Priority',
  'Labels',
  'Owner',
  'Estimated Time',
  'Coverage (Issues)',
  'Coverage (Pages)',
  SCALE_STEP,
  SCALE_DATA,
  SCALE_RESULT,
  'Test Script (Plain Text)',
  'Test Script (BDD)',
]

/** Later rows of a case have an empty key, and are its steps. */
const startsWithKey =
  (...names: string[]) =>
  (columns: Columns, row: TableRow) =>
    columns.get(row, ...names) !== ''

export const zephyrScaleXlsx: TableFormat = {
  system: 'zephyr-scale',
  format: 'zephyr-scale-xlsx',
  matches: (columns) => columns.has('Key', SCALE_STEP),
  async *read(tables, { losses }) {
    const folders = new Folders()
    for (const table of tables) {
      const { columns } = table
      for await (const rows of groupRows(table, losses, startsWithKey('Key'))) {
        const get = (name: string) => columns.first(rows, name)
        const { key: folder, records } = folders.add(splitFolderPath(get('Folder'), '/'))
        yield* records
        yield createCase({
          key: get('Key'),
          title: get('Name'),
          folder,
          position: folders.next(folder),
          markup: 'html',
          precondition: get('Precondition'),
          descriptions: [{ heading: 'Objective', text: get('Objective') }],
          ...readScaleScript(columns, rows),
          priority: get('Priority'),
          state: get('Status'),
          tags: splitList(get('Labels')),
          written_estimate: { text: get('Estimated Time') },
          owner: get('Owner'),
          fields: columns.restOf(rows, SCALE_KNOWN, [SCALE_STEP, SCALE_DATA, SCALE_RESULT]),
          links: [
            ...splitList(get('Coverage (Issues)')).map((target): LinkRecord => ({ target, kind: 'requirement' })),
            ...splitList(get('Coverage (Pages)')).map((target): LinkRecord => ({ target, kind: 'other' })),
          ],
        })
      }
    }
  },
}

function readScaleScript(
  columns: Columns,
  rows: readonly [TableRow, ...TableRow[]],
): Pick<CaseRecord, 'template' | 'steps' | 'step_text'> {
  const find = (name: string) => columns.first(rows, name)
  const [bdd, plain] = [find('Test Script (BDD)'), find('Test Script (Plain Text)')]
  const steps = readSteps(columns, rows, SCALE_STEP, SCALE_DATA, SCALE_RESULT)
  if (bdd !== '') return { template: 'gherkin', steps, step_text: { rule: 'gherkin', action: bdd, expected: '' } }
  if (plain !== '') return { template: 'text', steps, step_text: { rule: 'whole', action: plain, expected: '' } }
  return { template: 'steps', steps, step_text: null }
}

const readSteps = (columns: Columns, rows: readonly TableRow[], action: string, data: string, expected: string) =>
  rows.map((row): StepRecord => ({
    action: columns.get(row, action),
    data: columns.get(row, data),
    expected: columns.get(row, expected),
  }))

const SQUAD_KNOWN = [
  'issuekey',
  'Issue key',
  'Summary',
  'TestStep',
  'Test Data',
  'Test Result',
  'Description',
  'Priority',
  'Status',
  'Labels',
  'Linked Issues',
  'Creator',
  'Created',
  'Updated',
  'Assignee',
]

export const zephyrSquadXlsx: TableFormat = {
  system: 'zephyr-squad',
  format: 'zephyr-squad-xlsx',
  matches: (columns) => columns.has('TestStep') && (columns.has('issuekey') || columns.has('Issue key')),
  async *read(tables, { losses }): AsyncGenerator<ImportRecord> {
    let position = 0
    for (const table of tables) {
      const { columns } = table
      for await (const rows of groupRows(table, losses, startsWithKey('issuekey', 'Issue key'))) {
        const get = (...names: string[]) => columns.first(rows, ...names)
        yield createCase({
          key: get('issuekey', 'Issue key'),
          title: get('Summary'),
          position: position++,
          markup: 'jira',
          descriptions: [{ heading: 'Description', text: get('Description') }],
          steps: readSteps(columns, rows, 'TestStep', 'Test Data', 'Test Result'),
          priority: get('Priority'),
          state: get('Status'),
          tags: splitList(get('Labels')),
          owner: get('Assignee'),
          fields: columns.restOf(rows, SQUAD_KNOWN, ['TestStep', 'Test Data', 'Test Result']),
          links: splitList(get('Linked Issues')).map((target): LinkRecord => ({ target, kind: 'requirement' })),
          created_by: get('Creator'),
          created_at: get('Created'),
          updated_at: get('Updated'),
        })
      }
    }
  },
}
