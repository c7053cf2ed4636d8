import { crc32, deflateRawSync } from 'node:zlib'

export interface Entry {
  name: string
  content: Buffer
  /** How large the archive says that it is; as large as it is by default. */
  claims?: number
  /** Mode of a file of Unix. */
  mode?: number
}

/** Packs entries as they are given, also such as no program would. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function packZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claims = content.length, mode = 0o100644 } of entries) {
    const packed = deflateRawSync(content)
    const path = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claims, 18)
    fields.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, path, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), fields, rest, path]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end])
}

type Rows = readonly (readonly string[])[]

/** Packs a workbook with one sheet, whose cells are texts. */
export const packWorkbook = (rows: Rows): Buffer => packSheets({ Sheet1: rows })

/** Packs a workbook with sheets by their names. */
export function packSheets(sheets: Readonly<Record<string, Rows>>): Buffer {
  const names = Object.keys(sheets)
  const toCell = (text: string, column: number, row: number) =>
    `<c r="${toColumn(column)}${row + 1}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
  const entries = [
    [
      'xl/workbook.xml',
      `<workbook><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${names.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`).join('')}</Relationships>`,
    ],
    ...Object.values(sheets).map((rows, index) => [
      `xl/worksheets/sheet${index}.xml`,
      `<worksheet><sheetData>${rows.map((cells, row) => `<row r="${row + 1}">${cells.map((text, column) => toCell(text, column, row)).join('')}</row>`).join('')}</sheetData></worksheet>`,
    ]),
  ]
  return packZip(entries.map(([name = '', content = '']) => ({ name, content: Buffer.from(content) })))
}

const toColumn = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${toColumn(Math.floor(index / 26) - 1)}${toColumn(index % 26)}`

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
