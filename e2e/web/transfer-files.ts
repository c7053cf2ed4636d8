import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import readExcel from 'read-excel-file/node'
import writeExcel from 'write-excel-file/node'

/** A file that a user chooses. */
export interface UploadFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const toCsv = (content: string | Buffer, name = 'cases.csv'): UploadFile => ({
  name,
  mimeType: 'text/csv',
  buffer: typeof content === 'string' ? Buffer.from(content) : content,
})

type Rows = readonly (readonly string[])[]

/** Makes an Excel file with a sheet for each entry. */
export async function toExcel(sheets: Readonly<Record<string, Rows>>, name = 'cases.xlsx'): Promise<UploadFile> {
  const written = Object.entries(sheets).map(([sheet, rows]) => ({
    sheet,
    data: rows.map((cells) => cells.map((value) => ({ value, type: String }))),
  }))
  return { name, mimeType: 'application/octet-stream', buffer: await writeExcel(written).toBuffer() }
}

/** Makes a file with this many test cases, each with steps and one of 50 folders. */
export function makeRows(count: number): string[][] {
  const steps = Array.from({ length: 5 }, (_, step) => `${step + 1}. Do this\n=> ${'See that. '.repeat(8).trim()}`)
  return [
    ['title', 'folder', 'priority', 'steps', 'tags'],
    ...Array.from({ length: count }, (_, index) => [
      `A customer pays by card ${index + 1}`,
      `Checkout/Payment ${index % 50}`,
      'high',
      steps.join('\n'),
      `payment, t${index % 20}`,
    ]),
  ]
}

/** Chooses a file on the import page. */
export const chooseFile = (page: Page, file: UploadFile): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(file)

/** Chooses a file, and goes to the preview with the suggested columns. */
export async function openPreview(page: Page, file: UploadFile): Promise<void> {
  await chooseFile(page, file)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
}

/** Chooses an item of the menu of the page, and returns the file that the browser saves. */
export async function exportFile(page: Page, menu: string, item: string): Promise<{ name: string; content: Buffer }> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

/** Reads the first sheet of an Excel file. */
export async function readSheet(content: Buffer): Promise<string[][]> {
  const [sheet] = await readExcel(content, { trim: false })
  return (sheet?.data ?? []).map((cells) => cells.map((cell) => (cell === null ? '' : String(cell))))
}
