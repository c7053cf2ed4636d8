import { createCase, type StepRecord } from '../../records.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'

const KNOWN = [
  'Title',
  'Description',
  'Priority',
  'Test Type',
  'Key',
  'Suite',
  'Tags',
  'Type',
  'Steps',
  'Expected Result',
]
const PEOPLE = ['Created At', 'Created By', 'Last Edit At', 'Last Edit By']

/** Pairs of columns `Step n` and `Result n`, or one text for all steps. */
export const testcaselabCsv: TableFormat = {
  system: 'testcaselab',
  format: 'testcaselab-csv',
  matches: (columns) => columns.has('Step 1', 'Result 1'),
  async *read(tables, { losses }) {
    const folders = new Folders()
    for (const table of tables) {
      const { columns } = table
      const numbers = columns.headings.flatMap((heading) => /^step (\d{1,4})$/.exec(heading)?.[1] ?? [])
      const stepColumns = numbers.flatMap((number) => [`Step ${number}`, `Result ${number}`])
      for await (const row of readBody(table, losses)) {
        const get = (name: string) => columns.get(row, name)
        const { key: folder, records } = folders.add(splitFolderPath(get('Suite'), '->'))
        yield* records
        const steps = numbers.map((number): StepRecord => ({
          action: get(`Step ${number}`),
          expected: get(`Result ${number}`),
        }))
        const hasPairs = steps.some(({ action, expected }) => action !== '' || expected !== '')
        yield createCase({
          key: get('Key') === '' ? null : get('Key'),
          title: get('Title'),
          folder,
          position: folders.next(folder),
          markup: 'html',
          descriptions: [
            { heading: 'Description', text: get('Description') },
            // A text beside separate steps is not one of them.
            { heading: 'Steps', text: hasPairs ? get('Steps') : '' },
          ],
          steps: hasPairs ? steps : [],
          step_text: hasPairs ? null : { rule: 'numbered', action: get('Steps'), expected: get('Expected Result') },
          expected_result: hasPairs ? get('Expected Result') : '',
          priority: get('Priority'),
          type: get('Test Type'),
          tags: splitList(get('Tags')),
          fields: columns.rest(row, [...KNOWN, ...PEOPLE, ...stepColumns]),
          created_at: get('Created At'),
          created_by: get('Created By'),
          updated_at: get('Last Edit At'),
          updated_by: get('Last Edit By'),
        })
      }
    }
  },
}
