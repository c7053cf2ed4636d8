import { ImportProblem } from '../../import-problem.ts'
import { readDuration } from '../../steps/durations.ts'
import { splitList } from '../folders.ts'
import type { TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'
import { toNote } from './testrail-case.ts'
import { hasText, KNOWN } from './testrail-csv.ts'

/** Those of the test case, which the file does not bring, are no fields of its result. */
const KNOWN_OF_RESULTS = [
  ...KNOWN.filter((name) => name !== 'Assigned To'),
  'Case ID',
  'Status',
  'Comment',
  'Comments',
  'Version',
  'Elapsed',
  'Tested By',
  'Tested On',
  'Defects',
  'Run',
  'Run ID',
  'Plan',
  'Plan ID',
  'Template',
  'Forecast',
  'Automation Type',
  'Is Converted',
]

/** Columns of steps that the test case has, not its result. */
const OF_CASE_STEPS = /^Steps \((?:Step|Expected Result|Additional Info|References|Shared step ID)\)$/i

const isOfSteps = (place: string) => place.startsWith('Steps (')

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
      const key = get('Case ID')
      const places = Object.entries(columns.rest(row, KNOWN_OF_RESULTS)).flatMap(([place, text]) =>
        hasText(text) && !OF_CASE_STEPS.test(place) ? [place] : [],
      )
      if (places.some(isOfSteps)) losses.add('not_imported:results_of_steps', { key })
      for (const place of places) if (!isOfSteps(place)) losses.add('not_imported:fields_of_results', { key, place })
      yield {
        kind: 'result',
        run,
        case: key,
        status: get('Status'),
        note: toNote(get('Comment', 'Comments'), get('Version')),
        elapsed_seconds: readDuration(get('Elapsed')),
        person: get('Tested By'),
        at: get('Tested On'),
        defects: splitList(get('Defects')),
      }
    }
  },
}
