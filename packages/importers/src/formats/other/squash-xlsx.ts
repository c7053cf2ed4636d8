import { ImportProblem } from '../../import-problem.ts'
import { createCase, type StepRecord } from '../../records.ts'
import { Folders, splitFolderPath } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'
import { isRead } from './squash-actions.ts'
import { readDataSets } from './squash-data-sets.ts'

const KNOWN = [
  'ACTION',
  'PROJECT_ID',
  'PROJECT_NAME',
  'TC_PATH',
  'TC_NUM',
  'TC_ID',
  'TC_REFERENCE',
  'TC_NAME',
  'TC_WEIGHT',
  'TC_NATURE',
  'TC_TYPE',
  'TC_STATUS',
  'TC_DESCRIPTION',
  'TC_PRE_REQUISITE',
  'TC_CREATED_ON',
  'TC_CREATED_BY',
  'TC_LAST_MODIFIED_ON',
  'TC_LAST_MODIFIED_BY',
  'TC_SCRIPT',
]
/** Counts are none of their values. */
const KNOWN_OF_STEPS = [
  'ACTION',
  'TC_OWNER_PATH',
  'TC_OWNER_ID',
  'TC_STEP_ID',
  'TC_STEP_NUM',
  'TC_STEP_IS_CALL_STEP',
  'TC_STEP_ACTION',
  'TC_STEP_EXPECTED_RESULT',
  'TC_STEP_#_REQ',
  'TC_STEP_#_ATTACHMENT',
]
export const squashXlsx: TableFormat = {
  system: 'squash',
  format: 'squash-xlsx',
  matches: (columns, sheet) =>
    columns.headings[0] === 'action' && ['TEST_CASES', 'STEPS', 'PARAMETERS', 'DATASETS'].includes(sheet),
  async *read(tables, context) {
    const { losses } = context
    const find = (name: string) => tables.find(({ table }) => table.name === name)
    const cases = find('TEST_CASES')
    if (cases === undefined) throw new ImportProblem('no_cases', 'The workbook has no sheet "TEST_CASES".')
    const steps = await readSteps(find('STEPS'), context)
    const dataSets = await readDataSets(find('PARAMETERS'), find('DATASETS'), context)
    const folders = new Folders()
    let count = 0
    for await (const row of readBody(cases, losses)) {
      const get = (...names: string[]) => cases.columns.get(row, ...names)
      const path = get('TC_PATH')
      if (!isRead(get('ACTION')) || (path === '' && get('TC_NAME') === '')) {
        losses.add('rows_ignored', { title: get('TC_NAME'), place: `TEST_CASES row ${row.row}` })
        continue
      }
      count += 1
      const { key: folder, records } = folders.add(splitFolderPath(path, '/').slice(1, -1))
      yield* records
      const script = get('TC_SCRIPT')
      const own = steps.get(path) ?? []
      const dataSet = dataSets.get(path) ?? null
      steps.delete(path)
      dataSets.delete(path)
      const key = get('TC_REFERENCE', 'TC_ID')
      yield createCase({
        key: key === '' ? null : key,
        title: get('TC_NAME') || (splitFolderPath(path, '/').at(-1) ?? ''),
        folder,
        position: folders.next(folder),
        markup: 'html',
        precondition: get('TC_PRE_REQUISITE'),
        descriptions: [{ heading: 'Description', text: get('TC_DESCRIPTION') }],
        ...(script === ''
          ? { steps: own }
          : { template: 'gherkin' as const, step_text: { rule: 'gherkin' as const, action: script, expected: '' } }),
        priority: get('TC_WEIGHT'),
        type: get('TC_NATURE'),
        state: get('TC_STATUS'),
        fields: cases.columns.rest(row, KNOWN),
        data_set: dataSet,
        created_by: get('TC_CREATED_BY'),
        created_at: get('TC_CREATED_ON'),
        updated_by: get('TC_LAST_MODIFIED_BY'),
        updated_at: get('TC_LAST_MODIFIED_ON'),
      })
    }
    if (count === 0) throw new ImportProblem('no_cases', 'The sheet "TEST_CASES" has no row to import.')
    for (const [path, list] of steps) losses.add('step_without_case', { place: path }, list.length)
    for (const path of dataSets.keys()) losses.add('not_imported:data_sets_without_test_case', { place: path })
  },
}

async function readSteps(table: HeadedTable | undefined, { losses }: ReadContext): Promise<Map<string, StepRecord[]>> {
  const steps = new Map<string, StepRecord[]>()
  if (table === undefined) return steps
  for await (const row of readBody(table, losses)) {
    const get = (name: string) => table.columns.get(row, name)
    if (!isRead(get('ACTION'))) {
      losses.add('rows_ignored', { place: `STEPS row ${row.row}` })
      continue
    }
    const owner = get('TC_OWNER_PATH')
    const called = get('TC_STEP_IS_CALL_STEP') === '1'
    if (called) losses.add('called_case_missing', { title: get('TC_STEP_ACTION'), place: owner })
    steps.set(owner, [
      ...(steps.get(owner) ?? []),
      {
        action: get('TC_STEP_ACTION'),
        expected: get('TC_STEP_EXPECTED_RESULT'),
        notes: Object.entries(table.columns.rest(row, KNOWN_OF_STEPS)).map(([name, value]) => `${name}: ${value}`),
      },
    ])
  }
  return steps
}
