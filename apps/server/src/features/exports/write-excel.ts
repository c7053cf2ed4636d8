import { Worker } from 'node:worker_threads'

import { MAX_EXCEL_CHARACTERS, toExcelText } from '@caseward/case-files/excel-text'
import { MAX_XLSX_ROWS } from '@caseward/contract/exports'

import { createFairSlots } from '../../platform/fair-slots.ts'
import { Problem, unprocessableProblem } from '../../platform/http/problems.ts'

/** Writes Excel files, one at a time on this server. */
export interface ExcelFiles {
  /**
   * Writes a file with one sheet; all cells are text, and none is run as a formula. The rows are read when it is its turn.
   * @param ownerId whose files count together
   * @param options.noun what a row is, in the plural
   * @throws {Problem} 503 when other files take too long
   */
  write(rows: AsyncIterable<string[][]>, ownerId: string, options?: ExcelOptions): Promise<Buffer>
}

interface ExcelOptions {
  sheet: string
  noun: string
}

const RESULTS: ExcelOptions = { sheet: 'Results', noun: 'results' }

/** 10,000 rows take some seconds of a processor. */
const MAX_WAIT_MS = 20_000
const MAX_MEMORY_MB = 512
const HEADING_ROWS = 1
/** Of all cells together. */
const MAX_CHARACTERS = 20_000_000
const workerUrl = new URL('../../../assets/write-excel-worker.js', import.meta.url)

/** The end of a text that a cell has no room for. */
const CUT = '… (cut: the CSV file has the whole text)'

export function createExcelFiles(): ExcelFiles {
  const slots = createFairSlots({ count: 1, maxPerOwner: 1, maxWaitMs: MAX_WAIT_MS, createTimeoutError: busyProblem })
  return {
    async write(rows, ownerId, { sheet, noun } = RESULTS) {
      const release = await slots.take(ownerId)
      try {
        return await writeInWorker(await readAll(rows, noun), sheet)
      } finally {
        release()
      }
    },
  }
}

async function readAll(rows: AsyncIterable<string[][]>, noun: string): Promise<string[][]> {
  const all: string[][] = []
  let characterCount = 0
  for await (const batch of rows) {
    // Also rows that were added since they were counted.
    if (all.length + batch.length > HEADING_ROWS + MAX_XLSX_ROWS)
      throw tooManyRowsProblem(all.length + batch.length, noun)
    for (const cells of batch) {
      const texts = cells.map(toCellText)
      characterCount += texts.reduce((sum, { length }) => sum + length, 0)
      all.push(texts)
    }
    if (characterCount > MAX_CHARACTERS) throw tooMuchTextProblem(noun)
  }
  return all
}

const toCellText = (text: string): string =>
  toExcelText(text.length <= MAX_EXCEL_CHARACTERS ? text : cutText(text, MAX_EXCEL_CHARACTERS - CUT.length) + CUT)

/** Not within a character of two code units. */
const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The library needs a processor for seconds without a pause, in which this thread could serve nobody. */
async function writeInWorker(rows: readonly string[][], sheet: string): Promise<Buffer> {
  const worker = new Worker(workerUrl, {
    workerData: { rows, sheet },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  return await new Promise((resolve, reject) => {
    worker.once('message', (content: Uint8Array) =>
      resolve(Buffer.from(content.buffer, content.byteOffset, content.length)),
    )
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The worker that writes Excel files ended with ${code}`)))
  })
}

const busyProblem = () =>
  new Problem(503, 'busy', 'Other Excel files are being written. Try again in a few seconds, or export as CSV.', {
    headers: { 'retry-after': '5' },
  })

/** 422. @param count the number of rows @param noun what they are */
export const tooManyRowsProblem = (count: number, noun = RESULTS.noun) =>
  unprocessableProblem(
    'too_many_rows',
    `There are ${count.toLocaleString('en')} ${noun}, and an Excel file can have up to ${MAX_XLSX_ROWS.toLocaleString('en')}. ${USE_CSV}`,
  )

const tooMuchTextProblem = (noun: string) =>
  unprocessableProblem(
    'too_many_rows',
    `The texts of the ${noun} have more than ${MAX_CHARACTERS.toLocaleString('en')} characters together, which is the limit of an Excel file. ${USE_CSV}`,
  )

const USE_CSV = 'Export as CSV (`format=csv`), which has no limit and opens in Excel, too.'
