import { unzipSync } from 'fflate'

import { FileError, unreadableExcelError } from './file-error.ts'

/** What all XML of a workbook may have unpacked. A packed file can be a thousand times smaller. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
/** The cells of the smallest rectangle around all cells of a sheet: the empty ones need memory, too. */
const MAX_CELLS = 5_000_000

const ATTRIBUTE = String.raw`\s+([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')`
/** The rows and cells of a sheet. Texts contain no `<`. */
const elements = new RegExp(String.raw`<(?:[\w.-]+:)?(?:row|c)(?=[\s/>])((?:${ATTRIBUTE})*)`, 'g')
const attribute = new RegExp(ATTRIBUTE, 'g')

/**
 * Refuses an Excel file that would take much more memory than its size suggests, before it is read: the sizes that its
 * directory names, which bound what is unpacked, and the references of its cells, which bound the rows that are built.
 * @throws {FileError}
 */
export function checkWorkbook(bytes: Uint8Array): void {
  let unpackedBytes = 0
  const isXml = (name: string) => name.endsWith('.xml') || name.endsWith('.rels')
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!isXml(name)) return false
      unpackedBytes += originalSize
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw tooLargeError()
      return true
    },
  })
  const decoder = new TextDecoder('latin1')
  for (const content of Object.values(files)) checkCells(decoder.decode(content))
}

function checkCells(xml: string): void {
  let rowCount = 0
  let columnCount = 0
  for (const [, attributes = ''] of xml.matchAll(elements)) {
    const [, , quoted] = [...attributes.matchAll(attribute)].find(([, name]) => name === 'r') ?? []
    if (quoted === undefined) continue
    const text = quoted.slice(1, -1)
    const parts = /^([A-Z]{0,3})(\d{1,7})$/.exec(text)
    if (parts === null) throw unreadableExcelError()
    const [, letters = '', row = ''] = parts
    rowCount = Math.max(rowCount, Number(row))
    columnCount = Math.max(columnCount, toColumn(letters))
    if (rowCount * columnCount > MAX_CELLS || rowCount > MAX_CELLS) throw tooManyCellsError(text)
  }
}

/** `A` is 1, `AA` is 27. */
function toColumn(letters: string): number {
  let column = 0
  for (let index = 0; index < letters.length; index += 1) column = 26 * column + letters.charCodeAt(index) - 64
  return column
}

const tooLargeError = () =>
  new FileError(
    'The Excel file is larger than 100 MB when it is unpacked. Move the sheet with the test cases into a file of its own, or save it as CSV.',
  )

const tooManyCellsError = (text: string) =>
  new FileError(
    `The Excel file has something in ${/^\d/.test(text) ? 'row' : 'cell'} ${text}, so that its table would have more than 5 million cells. Delete the rows and columns outside of your table, and save the file again.`,
  )
