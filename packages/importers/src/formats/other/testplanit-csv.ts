import { createCase, type StepRecord } from '../../records.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { TableFormat } from '../format.ts'
import { groupRows } from '../group-rows.ts'

const STEP = ['Step Description', 'Step Content']
const STEP_EXPECTED = ['Step Expected Result', 'Expected Result', 'Step Expected']
const KNOWN = [
  ...STEP,
  ...STEP_EXPECTED,
  'ID',
  'Name',
  'Description',
  'Folder',
  'Steps',
  'Step Number',
  'Estimate',
  'Priority',
  'State',
  'Workflow State',
  'Tags',
  'Created By',
  'Created At',
]

export const testplanitCsv: TableFormat = {
  system: 'testplanit',
  format: 'testplanit-csv',
  matches: (columns) =>
    columns.has('Name') &&
    (columns.has('Steps', 'Folder') || columns.has('Step Number', 'Step Description') || columns.has('Workflow State')),
  async *read(tables, { losses }) {
    const folders = new Folders()
    for (const table of tables) {
      const { columns } = table
      const isStart = (
        _: unknown,
        row: Parameters<typeof columns.get>[0],
        last: Parameters<typeof columns.get>[0] | null,
      ) => {
        const [key, name] = [columns.get(row, 'ID'), columns.get(row, 'Name')]
        if (key === '' && name === '') return false
        return (
          last === null ||
          !columns.has('Step Number') ||
          key !== columns.get(last, 'ID') ||
          name !== columns.get(last, 'Name')
        )
      }
      for await (const rows of groupRows(table, losses, isStart)) {
        const get = (...names: string[]) => columns.first(rows, ...names)
        const { key: folder, records } = folders.add(splitFolderPath(get('Folder'), '/'))
        yield* records
        const key = get('ID')
        if (key === '') losses.add('no_key', { title: get('Name') })
        yield createCase({
          key: key === '' ? null : key,
          title: get('Name'),
          folder,
          position: folders.next(folder),
          markup: 'html',
          descriptions: [
            { heading: 'Description', text: get('Description') },
            // A text beside separate steps is not one of them.
            { heading: 'Steps', text: columns.has('Step Number') ? get('Steps') : '' },
          ],
          steps: columns.has('Step Number')
            ? rows.map((each) => ({
                action: columns.list(each, ...STEP).join('\n\n'),
                expected: columns.list(each, ...STEP_EXPECTED).join('\n\n'),
              }))
            : readSteps(get('Steps')),
          priority: get('Priority'),
          state: get('State', 'Workflow State'),
          tags: splitList(get('Tags')),
          written_estimate: { text: get('Estimate'), unitSeconds: 1 },
          fields: {
            ...columns.restOf(rows, KNOWN, [...STEP, ...STEP_EXPECTED, 'Step Number']),
            ...(get('State') !== '' && !['', get('State')].includes(get('Workflow State'))
              ? { 'Workflow State': get('Workflow State') }
              : {}),
          },
          created_by: get('Created By'),
          created_at: get('Created At'),
        })
      }
    }
  },
}

/** JSON, or parts with a number each: `1. Open|2. Sign in`. */
function readSteps(text: string): StepRecord[] {
  if (text.trimStart().startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (Array.isArray(parsed)) return parsed.map(toStep)
    } catch {
      // It is a text that begins with a bracket.
    }
  }
  return splitList(text, '|').map((part, index) => {
    const number = /^(\d{1,4})\.\s*/.exec(part)
    return { action: Number(number?.[1]) === index + 1 ? part.slice(number?.[0].length) : part, expected: '' }
  })
}

function toStep(step: unknown): StepRecord {
  const get = (name: string) => {
    const value: unknown = typeof step === 'object' && step !== null ? Reflect.get(step, name) : undefined
    return typeof value === 'string' ? value : ''
  }
  return { action: typeof step === 'string' ? step : get('step'), expected: get('expectedResult') }
}
