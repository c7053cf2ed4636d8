import { ImportProblem } from '../../import-problem.ts'
import { createCase, type ImportRecord, type LinkRecord, type StepRecord, type StepText } from '../../records.ts'
import { isBlank, readFirstRows, type Table, type TableRow } from '../../tables/table.ts'
import { Folders, splitList } from '../folders.ts'
import type { ReadContext, Recognized } from '../format.ts'
import type { Rows } from '../group-rows.ts'
import { readBody } from '../table-body.ts'
import type { SheetField } from './heading-words.ts'
import { findSheetColumns, SAMPLE_ROWS, type SheetColumns } from './sheet-columns.ts'

interface Sheet {
  readonly table: Table
  readonly columns: SheetColumns
  /** Whether rows without a title go on with the steps of the case above. */
  readonly hasStepRows: boolean
  readonly isGherkin: boolean
}

/** Recognizes tables that people have made. @returns null if no table has a header */
export async function recognizeSheets(tables: readonly Table[]): Promise<Omit<Recognized, 'encoding'> | null> {
  const sheets: Sheet[] = []
  const others: Table[] = []
  for (const table of tables) {
    const rows = (await readFirstRows(table, SAMPLE_ROWS)).filter((row) => !isBlank(row))
    const columns = findSheetColumns(rows)
    if (columns === null) others.push(table)
    else sheets.push(createSheet(table, columns, rows))
  }
  if (sheets.length === 0) return null
  return {
    system: 'sheet',
    format: 'sheet',
    columns: sheets.flatMap(({ table, columns }) =>
      [...columns.fields].map(([to, index]) => ({ sheet: table.name, heading: columns.headings[index] ?? '', to })),
    ),
    async *read(context) {
      for (const table of others) {
        if ((await readFirstRows(table, 1)).length > 0)
          context.losses.add('rows_ignored', { place: `sheet ${table.name}` })
      }
      const folders = new Folders()
      const filled: Sheet[] = []
      for (const sheet of sheets) if (await hasCases(sheet)) filled.push(sheet)
      if (filled.length === 0)
        throw new ImportProblem('no_cases', 'The file has headings, but no row below them has a title.')
      for (const sheet of filled) yield* readSheet(sheet, filled.length > 1, folders, context)
    },
  }
}

const getCell = ({ cells }: TableRow, index: number | undefined) =>
  index === undefined ? '' : (cells[index] ?? '').trim()
const GHERKIN = /^\s*(?:given|when|then)\b/i

function createSheet(table: Table, columns: SheetColumns, rows: readonly TableRow[]): Sheet {
  const body = rows.filter(({ row }) => row > columns.headerRow)
  const cell = (row: TableRow, field: SheetField) => getCell(row, columns.fields.get(field))
  const isStepRow = (row: TableRow) => cell(row, 'title') === '' && cell(row, 'id') === '' && cell(row, 'steps') !== ''
  const steps = body.map((row) => cell(row, 'steps')).filter((text) => text !== '')
  const gherkin = steps.filter((text) => GHERKIN.test(text))
  return { table, columns, hasStepRows: body.some(isStepRow), isGherkin: gherkin.length * 2 > steps.length }
}

async function hasCases({ table, columns }: Sheet): Promise<boolean> {
  const title = columns.fields.get('title')
  for await (const row of table.rows()) if (row.row > columns.headerRow && getCell(row, title) !== '') return true
  return false
}

async function* readSheet(
  sheet: Sheet,
  isFolder: boolean,
  folders: Folders,
  context: ReadContext,
): AsyncGenerator<ImportRecord> {
  const { table, columns } = sheet
  const { fields } = columns
  let group: TableRow[] = []
  const finish = function* (): Generator<ImportRecord> {
    const [first, ...others] = group
    if (first !== undefined) yield* readCase(sheet, [first, ...others], isFolder, folders, context)
    group = []
  }
  const context_ = { table, headerRow: columns.headerRow }
  for await (const row of readBody(context_, context.losses)) {
    const [id, title] = [getCell(row, fields.get('id')), getCell(row, fields.get('title'))]
    const filled = row.cells.filter((cell) => cell.trim() !== '').length
    const isStep = getCell(row, fields.get('steps')) !== '' || getCell(row, fields.get('expected')) !== ''
    const [first] = group
    const isSame =
      id !== '' &&
      first !== undefined &&
      id === getCell(first, fields.get('id')) &&
      title === getCell(first, fields.get('title'))
    const isHeading = filled === 1 && !isStep && (title === '' || (fields.has('id') && fields.size > 3))
    if (isHeading || (title === '' && !isStep)) {
      context.losses.add('rows_ignored', {
        title: row.cells.find((cell) => cell.trim() !== '')?.slice(0, 80) ?? '',
        place: `${table.name} row ${row.row}`.trim(),
      })
    } else if (first !== undefined && ((title === '' && id === '') || (isSame && sheet.hasStepRows))) {
      group.push(row)
    } else if (title === '' && id === '') {
      context.losses.add('step_without_case', { place: `${table.name} row ${row.row}`.trim() })
    } else {
      yield* finish()
      group = [row]
    }
  }
  yield* finish()
}

function* readCase(
  sheet: Sheet,
  rows: Rows,
  isFolder: boolean,
  folders: Folders,
  { losses }: ReadContext,
): Generator<ImportRecord> {
  const { table, columns } = sheet
  const [row] = rows
  const get = (field: SheetField) => getCell(row, columns.fields.get(field))
  const path = [
    ...(isFolder ? [table.name || 'Sheet'] : []),
    ...columns.folders.flatMap((index) => readPath(columns, row, index)),
  ]
  const { key: folder, records } = folders.add(path)
  yield* records
  if (get('id') === '') losses.add('no_key', { title: get('title') })
  yield createCase({
    key: get('id') === '' ? null : get('id'),
    title: get('title'),
    folder,
    position: folders.next(folder),
    markup: 'plain',
    ...(sheet.isGherkin && { template: 'gherkin' as const }),
    precondition: get('precondition'),
    descriptions: [
      {
        heading: 'Description',
        text: columns.fields.get('description') === columns.fields.get('title') ? '' : get('description'),
      },
      ...(rows.length === 1 ? [{ heading: 'Test data', text: get('data') }] : []),
    ],
    ...readSteps(sheet, rows),
    priority: get('priority'),
    type: get('type'),
    state: get('state'),
    tags: splitList(get('tags').replaceAll(/^\[|\]$|'/g, ''), /[;,，]/),
    owner: get('owner'),
    written_estimate: { text: get('estimate') },
    links: splitList(get('links'), /[;,\n]/).map((target): LinkRecord => ({ target, kind: 'requirement' })),
    fields: readRest(columns, rows),
  })
}

function readPath(columns: SheetColumns, row: TableRow, index: number): string[] {
  const text = getCell(row, index)
  if (/^feature$/i.test((columns.headings[index] ?? '').trim()))
    return text === '' ? [] : [text.replaceAll(/\s+/g, ' ')]
  const separator = text.includes('->') ? '->' : text.includes(' > ') ? ' > ' : '/'
  return splitList(text.replaceAll(/\s+/g, ' '), separator)
}

function readSteps(sheet: Sheet, rows: readonly TableRow[]): { steps?: StepRecord[]; step_text?: StepText } {
  const { fields } = sheet.columns
  const cell = (row: TableRow, field: SheetField) => getCell(row, fields.get(field))
  const [first] = rows
  if (first === undefined) return {}
  if (rows.length === 1 && !sheet.hasStepRows) {
    const action = sheet.isGherkin ? cell(first, 'steps').replaceAll(/^(\s*\p{L}+):/gmu, '$1') : cell(first, 'steps')
    return { step_text: { rule: sheet.isGherkin ? 'gherkin' : 'numbered', action, expected: cell(first, 'expected') } }
  }
  return {
    steps: rows.map((row, index) => ({
      action: stripPosition(cell(row, 'steps'), index + 1),
      data: cell(row, 'data'),
      expected: cell(row, 'expected'),
    })),
  }
}

const stripPosition = (text: string, position: number) => {
  const number = /^(\d{1,4})[.)]\s+/.exec(text)
  return Number(number?.[1]) === position ? text.slice(number?.[0].length) : text
}

/** Columns without a field of their own, and what later rows say otherwise. */
function readRest({ headings, fields, folders }: SheetColumns, rows: Rows): Record<string, string> {
  const [first] = rows
  const ofRows = new Set((['steps', 'expected', 'data'] as const).flatMap((field) => fields.get(field) ?? []))
  const known = new Set([...fields.values(), ...folders])
  const rest: Record<string, string> = {}
  for (const [index, heading] of headings.entries()) {
    // Of a column with a place, the first row has what comes there; each row has its own steps.
    if (ofRows.has(index) || (rows.length === 1 && known.has(index))) continue
    const texts = [...new Set(rows.map((row) => getCell(row, index)).filter((text) => text !== ''))]
    const name = heading.trim() || `Column ${index + 1}`
    const kept = known.has(index) ? texts.filter((text) => text !== getCell(first, index)) : texts
    if (kept.length > 0) rest[name in rest ? `${name} (${index + 1})` : name] = kept.join('\n')
  }
  return rest
}
