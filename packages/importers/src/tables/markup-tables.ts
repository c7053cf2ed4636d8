import { Parser } from 'htmlparser2'

import type { ImportFile } from '../input/import-file.ts'
import { getChildren, readXml, type XmlNode } from '../xml/read-xml.ts'
import { checkCells } from './csv-table.ts'
import type { Table, TableRow } from './table.ts'

/** Tables of a page that was saved as a spreadsheet. */
export function readHtmlTables(html: string): Table[] {
  const tables: string[][][] = []
  let cell: string[] | null = null
  const parser = new Parser({
    onopentag(name) {
      if (name === 'table') tables.push([])
      else if (name === 'tr') tables.at(-1)?.push([])
      else if (name === 'td' || name === 'th') cell = []
      else if (name === 'br') cell?.push('\n')
    },
    ontext(text) {
      cell?.push(text)
    },
    onclosetag(name) {
      if (cell !== null && (name === 'td' || name === 'th')) {
        tables.at(-1)?.at(-1)?.push(cell.join('').trim())
        cell = null
      }
    },
  })
  parser.end(html)
  return tables.filter((rows) => rows.length > 0).map((rows) => toTable('', rows))
}

const toTable = (name: string, rows: readonly (readonly string[])[]): Table => ({
  name,
  // oxlint-disable-next-line require-await -- the rows are there
  async *rows() {
    for (const [index, cells] of rows.entries()) {
      checkCells(cells, `Row ${index + 1}`)
      yield { row: index + 1, cells }
    }
  },
})

const CONTAINERS = new Set(['Workbook', 'Worksheet', 'Table'])
const getAttribute = (attributes: Readonly<Record<string, string>>, name: string) =>
  Object.entries(attributes).find(([key]) => key.slice(key.indexOf(':') + 1) === name)?.[1]

/** The sheets of a workbook in the XML of Excel 2003. */
export async function readSpreadsheetMl(file: ImportFile): Promise<Table[]> {
  const names: string[] = []
  for await (const event of readXml(file, (name) => CONTAINERS.has(name))) {
    if (event.type === 'open' && event.name === 'Worksheet') names.push(getAttribute(event.attributes, 'Name') ?? '')
  }
  return names.map((name, index) => ({ name, rows: () => readSheet(file, index) }))
}

async function* readSheet(file: ImportFile, wanted: number): AsyncGenerator<TableRow> {
  let sheet = -1
  let row = 0
  for await (const event of readXml(file, (name) => CONTAINERS.has(name))) {
    if (event.type === 'open' && event.name === 'Worksheet') sheet += 1
    if (sheet !== wanted || event.type !== 'node' || event.node.name !== 'Row') continue
    row = Number(getAttribute(event.node.attributes, 'Index') ?? row + 1)
    const cells = readCells(event.node)
    checkCells(cells, `Row ${row}`)
    yield { row, cells }
  }
}

function readCells(row: XmlNode): string[] {
  const cells: string[] = []
  for (const cell of getChildren(row, 'Cell')) {
    const index = Number(getAttribute(cell.attributes, 'Index') ?? cells.length + 1) - 1
    while (cells.length < Math.min(index, 600)) cells.push('')
    cells.push(joinTexts(getChildren(cell, 'Data')))
  }
  return cells
}

const joinTexts = (nodes: readonly XmlNode[]): string =>
  nodes.map((node) => node.text + joinTexts(node.children)).join('')
