import { constants, deflateRawSync } from 'node:zlib'

import { unzipSync, Zip, type ZipInputFile, ZipPassThrough, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'

import { FileError } from './file-error.ts'
import { readTable } from './read-table.ts'
import { writeExcel } from './write-excel.ts'

const MEGABYTE = 1024 * 1024
const SHEET = 'xl/worksheets/sheet1.xml'

/** Makes an Excel file with a table, of which some members are replaced. */
async function makeWorkbook(change: (members: Record<string, Uint8Array>) => Record<string, Uint8Array>) {
  const file = await writeExcel([['title'], ['Pay by card']], 'Sheet')
  const members = unzipSync(new Uint8Array(await file.arrayBuffer()))
  expect(Object.keys(members)).toContain(SHEET)
  return new Blob([zipSync({ ...members, ...change(members) }, { level: 1 })])
}

/** Makes one whose sheet has another cell before the end. */
const makeWorkbookWithCell = async (cell: string, row = '') =>
  await makeWorkbook(({ [SHEET]: sheet }) => {
    const text = new TextDecoder().decode(sheet)
    expect(text).toContain('</sheetData>')
    const added = `<row${row}>${cell}</row></sheetData>`
    return { [SHEET]: new TextEncoder().encode(text.replace('</sheetData>', added)) }
  })

/** Packs zeros, of which the first megabyte is packed only once. */
function packZeros(megabytes: number): Uint8Array<ArrayBuffer> {
  const block = deflateRawSync(new Uint8Array(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH })
  const lastBlock = Uint8Array.of(3, 0)
  return new Uint8Array(Buffer.concat([...Array.from({ length: megabytes }, () => block), lastBlock]))
}

/** Makes one with a member of zeros. */
async function makeWorkbookWithZeros(filename: string, megabytes: number): Promise<Blob> {
  const file = await writeExcel([['title'], ['Pay by card']], 'Sheet')
  const members = Object.entries(unzipSync(new Uint8Array(await file.arrayBuffer())))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((_error, chunk) => chunks.push(chunk))
  for (const [name, content] of members.filter(([other]) => other !== filename)) {
    const member = new ZipPassThrough(name)
    zip.add(member)
    member.push(content, true)
  }
  const zeros: ZipInputFile = { filename, crc: 0, size: megabytes * MEGABYTE, compression: 8 }
  zip.add(zeros)
  zeros.ondata?.(null, packZeros(megabytes), true)
  zip.end()
  return new Blob(chunks)
}

async function readError(file: Blob): Promise<string> {
  const startedAt = performance.now()
  const error: unknown = await readTable(file).catch((reason: unknown) => reason)
  expect(performance.now() - startedAt).toBeLessThan(2000)
  expect(error).toBeInstanceOf(FileError)
  return (error as FileError).message
}

describe('readTable of an Excel file that is larger than it seems', () => {
  it.each([
    ['a sheet of 300 MB', SHEET, 300],
    ['another member of 600 MB', 'xl/other.xml', 600],
  ])('refuses %s before it is unpacked', async (_what, name, megabytes) => {
    const file = await makeWorkbookWithZeros(name, megabytes)
    expect(file.size).toBeLessThan(MEGABYTE)
    expect(await readError(file)).toContain('larger than 100 MB when it is unpacked')
  })

  it('reads a workbook with a member of 2 MB that is made in the same way', async () => {
    const { table } = await readTable(await makeWorkbookWithZeros('xl/other.xml', 2))
    expect(table.records[0]?.cells).toEqual(['Pay by card'])
  })

  it.each([
    ['with double quotes', '<c r="XFD1048576"><v>1</v></c>'],
    ['with single quotes, after another attribute with a bracket', `<c t='> r="A1"' r='XFD1048576'><v>1</v></c>`],
  ])('refuses a cell in the last row and column, before rows are built: %s', async (_what, cell) => {
    const file = await makeWorkbookWithCell(cell)
    expect(file.size).toBeLessThan(10_000)
    expect(await readError(file)).toContain('cell XFD1048576, so that its table would have more than 5 million cells')
  })

  it('refuses a number of a row beyond all rows, and one that is no number', async () => {
    expect(await readError(await makeWorkbookWithCell('', ' r="9999999"'))).toContain('in row 9999999')
    expect(await readError(await makeWorkbookWithCell('', ' r="1e15"'))).toContain('damaged')
    expect(await readError(await makeWorkbookWithCell('<c r="&#88;FD1048576"/>'))).toContain('damaged')
  })

  it('reads a table with a cell far below, and texts that look like cells', async () => {
    const { table } = await readTable(await makeWorkbookWithCell('<c r="B5000"><v>7</v></c>', ' r="5000"'))
    expect(table.records.at(-1)).toEqual({ row: 5000, cells: ['', '7'] })
    const text = '<c r="XFD1048576"/>'
    const { table: other } = await readTable(await writeExcel([['title'], [text]], 'Sheet'))
    expect(other.records[0]?.cells).toEqual([text])
  })
})
