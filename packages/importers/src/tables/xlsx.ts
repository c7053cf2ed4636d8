import { ImportProblem } from '../import-problem.ts'
import type { ImportFile } from '../input/import-file.ts'
import { LIMITS } from '../limits.ts'
import { getChild, getChildren, readXml, type XmlNode } from '../xml/read-xml.ts'
import { checkCells } from './csv-table.ts'
import { formatNumber, getBuiltInFormat } from './number-format.ts'
import { SharedTexts } from './shared-texts.ts'
import type { Table, TableRow } from './table.ts'

/** What all sheets of a workbook share. */
interface Shared {
  readonly texts: SharedTexts
  /** The number format of each cell style. */
  readonly formats: readonly string[]
}

/**
 * Opens a workbook: its visible sheets in their order, each read row by row.
 * @param files of the archive, by path
 * @throws {ImportProblem}
 */
export async function openXlsx(files: ReadonlyMap<string, ImportFile>): Promise<Table[]> {
  const workbook = files.get('xl/workbook.xml')
  if (workbook === undefined) throw new ImportProblem('unreadable_file', 'The workbook has no list of sheets.')
  const targets = await readTargets(files.get('xl/_rels/workbook.xml.rels'))
  const sheets: { name: string; file: ImportFile }[] = []
  for await (const event of readXml(workbook, (name) => name === 'workbook' || name === 'sheets')) {
    if (event.type !== 'node' || event.node.name !== 'sheet') continue
    const { attributes } = event.node
    const id = Object.entries(attributes).find(([name]) => /(?:^|:)id$/.test(name))?.[1] ?? ''
    const file = files.get(targets.get(id) ?? '')
    if (file !== undefined) sheets.push({ name: (attributes['name'] ?? '').trim(), file })
  }
  if (sheets.length > LIMITS.sheets) {
    throw new ImportProblem('too_many_records', `The workbook has more than ${LIMITS.sheets} sheets.`)
  }
  const shared: Shared = {
    texts: await readSharedTexts(files.get('xl/sharedStrings.xml')),
    formats: await readFormats(files.get('xl/styles.xml')),
  }
  return sheets.map(({ name, file }) => ({ name, rows: () => readRows(name, file, shared) }))
}

async function readTargets(file: ImportFile | undefined): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  if (file === undefined) return targets
  for await (const event of readXml(file, (name) => name === 'Relationships')) {
    if (event.type !== 'node') continue
    const { Id: id = '', Target: target = '' } = event.node.attributes
    targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  return targets
}

/** A text of runs, without its phonetic hints. */
const joinRuns = (node: XmlNode | undefined): string =>
  unescapeText(
    (node?.children ?? [])
      .flatMap((child) => (child.name === 't' ? [child] : child.name === 'r' ? getChildren(child, 't') : []))
      .map(({ text }) => text)
      .join(''),
  )

/** Excel writes characters that XML does not allow as `_x000D_`. */
const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

async function readSharedTexts(file: ImportFile | undefined): Promise<SharedTexts> {
  const texts = new SharedTexts()
  if (file === undefined) return texts
  let length = 0
  for await (const event of readXml(file, (name) => name === 'sst')) {
    if (event.type !== 'node') continue
    const text = joinRuns(event.node)
    length += text.length
    if (length > LIMITS.sharedStringBytes) throw new ImportProblem('file_too_large', 'The workbook has too much text.')
    texts.add(text)
  }
  return texts
}

async function readFormats(file: ImportFile | undefined): Promise<string[]> {
  const formats: string[] = []
  if (file === undefined) return formats
  const codes = new Map<number, string>()
  const isContainer = (name: string) => ['styleSheet', 'numFmts', 'cellXfs'].includes(name)
  for await (const event of readXml(file, isContainer)) {
    if (event.type !== 'node') continue
    const { attributes } = event.node
    const id = Number(attributes['numFmtId'] ?? 0)
    if (event.parent === 'numFmts') codes.set(id, attributes['formatCode'] ?? '')
    else if (event.parent === 'cellXfs') formats.push(codes.get(id) ?? getBuiltInFormat(id))
  }
  return formats
}

async function* readRows(name: string, file: ImportFile, shared: Shared): AsyncGenerator<TableRow> {
  let row = 0
  for await (const event of readXml(file, (element) => element === 'worksheet' || element === 'sheetData')) {
    if (event.type !== 'node' || event.node.name !== 'row') continue
    row = Number(event.node.attributes['r'] ?? row + 1)
    if (!(row <= LIMITS.rows)) throw new ImportProblem('too_many_records', `Sheet "${name}" has too many rows.`)
    const cells = readCells(event.node, shared, `Sheet "${name}", row ${row}`)
    checkCells(cells, `Sheet "${name}", row ${row}`)
    yield { row, cells }
  }
}

function readCells(node: XmlNode, shared: Shared, place: string): string[] {
  const cells: string[] = []
  for (const cell of getChildren(node, 'c')) {
    const index = cell.attributes['r'] === undefined ? cells.length : toColumn(cell.attributes['r'])
    if (index >= LIMITS.columns) {
      const text = getCellText(cell, shared)
      if (text === '') continue
      throw new ImportProblem('too_many_records', `${place}: more than ${LIMITS.columns} columns.`)
    }
    while (cells.length < index) cells.push('')
    cells[index] = getCellText(cell, shared)
  }
  return cells
}

function getCellText(cell: XmlNode, { texts, formats }: Shared): string {
  const type = cell.attributes['t'] ?? 'n'
  if (type === 'inlineStr') return joinRuns(getChild(cell, 'is'))
  const value = getChild(cell, 'v')?.text ?? ''
  if (type === 's') return texts.get(Number(value))
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'str') return unescapeText(value)
  if (type === 'e' || value === '') return ''
  return formatNumber(value, formats[Number(cell.attributes['s'] ?? 0)] ?? '').text
}

/** `AB12` → 27. */
function toColumn(reference: string): number {
  let column = 0
  for (const character of reference.slice(0, 4)) {
    const code = character.charCodeAt(0)
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column - 1
}
