import { createCase, type ImportRecord, type StepText } from '../../records.ts'
import type { Columns, TableRow } from '../../tables/table.ts'
import { splitList } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'
import { orEmpty, toDataSet } from './qase-values.ts'

const KNOWN = [
  'id',
  'v2.id',
  'title',
  'description',
  'preconditions',
  'postconditions',
  'tags',
  'priority',
  'type',
  'status',
  'steps_type',
  'steps_actions',
  'steps_result',
  'steps_data',
  'suite_id',
  'suite_parent_id',
  'suite',
  'suite_without_cases',
  'parameters',
  'milestone_id',
]

interface Suite {
  readonly id: string
  readonly parent: string
  readonly name: string
}

export const qaseCsv: TableFormat = {
  system: 'qase',
  format: 'qase-csv',
  matches: (columns) => /^(?:v2 )?id$/.test(columns.headings[0] ?? '') && columns.has('suite_without_cases'),
  async *read(tables, context) {
    for (const table of tables) yield* readTable(table, context)
  },
}

/** Suites may come after those below them, and some only in the rows of their cases. */
async function readSuites(table: HeadedTable, { losses }: ReadContext): Promise<Map<string, Suite>> {
  const suites = new Map<string, Suite>()
  for await (const row of readBody(table, losses, false)) {
    const get = (name: string) => table.columns.get(row, name)
    const id = get('suite_id')
    if (id === '') continue
    const known = suites.get(id)
    const parent = get('suite_parent_id') || (known?.parent ?? '')
    suites.set(id, { id, parent, name: get('suite') || (known?.name ?? '') })
  }
  return suites
}

async function* readTable(table: HeadedTable, context: ReadContext): AsyncGenerator<ImportRecord> {
  const { columns } = table
  const suites = await readSuites(table, context)
  const positions = new Map<string, number>()
  const next = (key: string) => {
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    return position
  }
  for (const { id, parent, name } of suites.values()) {
    const isKnown = suites.has(parent) && !isCircle(suites, id)
    yield {
      kind: 'folder',
      key: id,
      name: name || `Suite ${id}`,
      parent: isKnown ? parent : null,
      position: next(isKnown ? parent : ''),
    }
  }
  for await (const row of readBody(table, context.losses)) {
    const get = (...names: string[]) => columns.get(row, ...names)
    const key = get('v2.id', 'id')
    if (key === '' && get('suite_without_cases') === '1') continue
    if (key === '' && get('title') === '') {
      context.losses.add('rows_ignored', { place: `row ${row.row}` })
      continue
    }
    const folder = get('suite_id')
    yield createCase({
      key: key === '' ? null : key,
      title: get('title'),
      folder: folder === '' ? null : folder,
      position: next(folder),
      precondition: get('preconditions'),
      descriptions: [{ heading: 'Description', text: get('description') }],
      postcondition: get('postconditions'),
      ...readSteps(columns, row),
      priority: orEmpty(get('priority')),
      type: orEmpty(get('type')),
      state: orEmpty(get('status')),
      tags: splitList(get('tags')),
      fields: Object.fromEntries(
        [...Object.entries(columns.rest(row, KNOWN)), ['parameters', findUnread(get('parameters'))] as const].filter(
          ([, value]) => orEmpty(value) !== '',
        ),
      ),
      data_set: readParameters(get('parameters')),
    })
  }
}

function isCircle(suites: ReadonlyMap<string, Suite>, start: string): boolean {
  const seen = new Set<string>()
  for (let id = start; suites.has(id); id = suites.get(id)?.parent ?? '') {
    if (seen.has(id)) return true
    seen.add(id)
  }
  return false
}

function readSteps(columns: Columns, row: TableRow): { template: 'steps' | 'gherkin'; step_text: StepText } {
  const get = (name: string) => columns.get(row, name)
  const texts = { action: get('steps_actions'), expected: get('steps_result'), data: get('steps_data') }
  if (get('steps_type') === 'gherkin') {
    const action = texts.action.replaceAll(/^\s*\d+\.\s+/gm, '')
    return { template: 'gherkin', step_text: { rule: 'gherkin', action, expected: '' } }
  }
  if (columns.has('v2.id')) return { template: 'steps', step_text: { rule: 'json_lines', ...texts } }
  return { template: 'steps', step_text: { rule: 'positions', ...texts } }
}

/** Lines of the parameters that are none. */
const findUnread = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.indexOf(':') < 1)
    .join('\n')
    .trim()

/** Lines `Name:value`, one a value. */
function readParameters(text: string) {
  const values = new Map<string, string[]>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim()
    values.set(name, [...(values.get(name) ?? []), ...splitList(line.slice(colon + 1))])
  }
  return toDataSet(values)
}
