import { createCase, type ImportRecord, type StepText } from '../../records.ts'
import { type Columns, isBlank, type TableRow } from '../../tables/table.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { HeadedTable, ReadContext, TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'
import { toLinks, USUAL_TEMPLATES } from './testrail-case.ts'

const SIGNS = ['Suite ID', 'Template', 'Section Depth', 'Steps (Step)', 'Section Description']
const AUTOMATION = ['Automation ID', 'automation_id', 'Case Automation ID']
/** Columns of test cases that have a place. */
export const KNOWN = [
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
  /** CR LF parts steps if any cell of the columns has one: a cell without is one step then. */
  readonly isParted: boolean
  readonly hasSuites: boolean
  /** Descriptions of folders by their keys. */
  readonly descriptions: ReadonlyMap<string, string>
}

async function survey(table: HeadedTable, stepFields: readonly string[], { losses }: ReadContext): Promise<Survey> {
  const { columns } = table
  let isParted = false
  const suites = new Set<string>()
  const ancestors: string[] = []
  const described = new Map<string, { suite: string; path: readonly string[]; text: string }>()
  for await (const row of readBody(table, losses, false)) {
    const actions = columns.all(...stepFields.map((name) => `${name} (Step)`))
    isParted ||= actions.some((index) => row.cells[index]?.includes('\r\n'))
    const suite = columns.get(row, 'Suite')
    if (suite !== '' && suites.size < 2) suites.add(suite)
    const path = readPath(columns, row, ancestors)
    const text = columns.get(row, 'Section Description')
    if (text !== '') described.set(JSON.stringify([suite, path]), { suite, path, text })
  }
  const hasSuites = suites.size > 1
  return {
    isParted,
    hasSuites,
    descriptions: new Map(
      [...described.values()].map(({ suite, path, text }) => [
        new Folders().add([...(hasSuites && suite !== '' ? [suite] : []), ...path]).key ?? '',
        text,
      ]),
    ),
  }
}

async function* readTable(table: HeadedTable, context: ReadContext): AsyncGenerator<ImportRecord> {
  const { columns } = table
  const stepFields = listStepFields(columns)
  const facts = await survey(table, stepFields, context)
  const folders = new Folders()
  const ancestors: string[] = []
  for await (const row of readBody(table, context.losses)) {
    if (isBlank(row)) continue
    const get = (...names: string[]) => columns.get(row, ...names)
    const suite = facts.hasSuites ? [get('Suite')].filter((name) => name !== '') : []
    const path = [...suite, ...readPath(columns, row, ancestors)]
    const { key: folder, records } = folders.add(path)
    for (const record of records) {
      const description = facts.descriptions.get(record.key)
      yield description === undefined ? record : { ...record, description }
    }
    const key = get('ID')
    if (key === '') context.losses.add('no_key', { title: get('Title') })
    const separate = readSeparate(columns, row, stepFields)
    const joined = separate === null ? readText(columns, row) : null
    if (separate?.hasShared === true) context.losses.add('shared_step_inlined', { key, title: get('Title') })
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
        ...(separate === null ? [] : [{ heading: 'Steps', text: separate.text }]),
      ],
      step_text:
        separate === null
          ? joined
          : {
              action: separate.action,
              expected: separate.expected,
              rule: facts.isParted ? 'crlf' : 'numbered',
            },
      expected_result: separate === null ? '' : get('Expected Result'),
      priority: get('Priority'),
      type: get('Type'),
      tags: splitList(get('Labels')),
      written_estimate: { text: get('Estimate') },
      owner: get('Assigned To'),
      automation_keys: [get(...AUTOMATION)].filter((text) => text !== ''),
      fields: withoutUsual(separate === null ? columns.rest(row, KNOWN) : separate.fields),
      links: toLinks(get('References')),
      created_by: get('Created By'),
      created_at: get('Created On'),
      updated_by: get('Updated By'),
      updated_at: get('Updated On'),
    })
  }
}

function withoutUsual({ Template: template = '', ...fields }: Record<string, string>): Record<string, string> {
  return template === '' || USUAL_TEMPLATES.test(template) ? fields : { ...fields, Template: template }
}

/** The fields of steps, which have columns such as `Steps (Step)` beside that with their name; the usual one first. */
const listStepFields = (columns: Columns): string[] => {
  const names = columns.names.flatMap((name) => /^(.*\S) \(Step\)$/i.exec(name)?.[1] ?? [])
  return [...new Set(['Steps', ...names])]
}

interface SeparateSteps {
  action: string
  expected: string
  hasShared: boolean
  /** What the case has in `Steps` besides. */
  text: string
  fields: Record<string, string>
}

/** Steps in columns of their own, of the first field that has any; null if none has. */
function readSeparate(columns: Columns, row: TableRow, stepFields: readonly string[]): SeparateSteps | null {
  const find = (name: string) =>
    columns
      .all(name)
      .map((index) => row.cells[index] ?? '')
      .find(hasText) ?? ''
  for (const name of stepFields) {
    const [action, expected] = [find(`${name} (Step)`), find(`${name} (Expected Result)`)]
    if (!hasText(action) && !hasText(expected)) continue
    const shared = `${name} (Shared step ID)`
    const read = [`${name} (Step)`, `${name} (Expected Result)`, shared]
    const fields = Object.entries(columns.rest(row, [...KNOWN, ...read])).filter(
      ([field, text]) => hasText(text) && !(field === name && isJoined(text, action)),
    )
    const texts = columns.list(row, 'Steps').filter((text) => !isJoined(text, action))
    const hasShared = hasText(find(shared))
    return { action, expected, hasShared, text: texts.join('\n\n'), fields: Object.fromEntries(fields) }
  }
  return null
}

/** Whether a cell has more than the numbers of steps. */
export const hasText = (cell: string) => cell.replaceAll(/^\s*\d+\.(?=\s|$)/gm, '').trim() !== ''

/** TestRail repeats separate steps in one text, each followed by its expected result. */
const isJoined = (text: string, action: string) =>
  action
    .split('\n')
    .map((line) => line.trim())
    .every((line) => text.includes(line))

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
