import { createZipStream, type ZipEntry } from '@caseward/server/features/exports/project/zip-stream'
import { buffer } from 'node:stream/consumers'

/* Files of other tools, as large as those of teams that move. */

export interface Source {
  name: string
  content: Buffer
}

const CASES_PER_SECTION = 50
const PRIORITIES = ['Critical', 'High', 'Medium', 'Low']
const STEP_TEXT = 'in the basket of a customer who has a voucher, two addresses and a card that expires this month'

const toXmlStep = (testCase: number, step: number) =>
  `<step><index>${step}</index><content>Open page ${step} of ${testCase} ${STEP_TEXT}, and choose **Continue**</content><expected>The page shows item ${testCase}-${step}, its price, and a way back to the basket that keeps what was chosen so far</expected></step>`

function toXmlCase(number: number, steps: number, getTitle: (number: number) => string): string {
  const all = Array.from({ length: steps }, (_, index) => toXmlStep(number, index + 1)).join('')
  return `<case><id>C${number}</id><title>${getTitle(number)}</title><template>Test Case (Steps)</template><type>Functional</type><priority>${PRIORITIES[number % 4]}</priority><estimate>${1 + (number % 9)}m</estimate><references>SHOP-${number % 500}</references><custom><preconds>A customer is signed in, and the basket has item ${number}.</preconds><steps_separated>${all}</steps_separated><severity><id>2</id><value>Major</value></severity></custom></case>\n`
}

export const getCaseTitle = (number: number): string => `Customer ${number} pays for an order in way ${number % 97}`

/** TestRail's XML export, in sections of 50 test cases. */
export function createTestrailXml(cases: number, steps: number, getTitle = getCaseTitle): Source {
  const pieces = [
    Buffer.from(
      '<?xml version="1.0" encoding="UTF-8"?>\n<suite><id>S1</id><name>Master</name><description></description><sections>\n',
    ),
  ]
  for (let start = 1; start <= cases; start += CASES_PER_SECTION) {
    const numbers = Array.from({ length: Math.min(CASES_PER_SECTION, cases - start + 1) }, (_, index) => start + index)
    const content = numbers.map((number) => toXmlCase(number, steps, getTitle)).join('')
    const name = `Section ${Math.ceil(start / CASES_PER_SECTION)}`
    pieces.push(
      Buffer.from(`<section><name>${name}</name><description></description><cases>\n${content}</cases></section>\n`),
    )
  }
  pieces.push(Buffer.from('</sections></suite>\n'))
  return { name: 'testrail.xml', content: Buffer.concat(pieces) }
}

const STATUSES = ['passed', 'passed', 'passed', 'failed', 'blocked']
const DAY_MS = 86_400_000
const toTime = (run: number, minute: number) =>
  new Date(Date.UTC(2025, 0, 1) + run * (DAY_MS / 2) + minute * 1000).toISOString()

/** A bundle with runs over all of its test cases. */
export async function createHistoryBundle(cases: number, runs: number): Promise<Source> {
  const content = await packFiles([
    ['manifest.json', () => ['{"format":"caseward-bundle","version":1}']],
    ['records.ndjson', () => listHistory(cases, runs)],
  ])
  return { name: 'history.caseward.zip', content }
}

function* listHistory(cases: number, runs: number): Generator<string> {
  const line = (record: object) => `${JSON.stringify(record)}\n`
  yield line({ kind: 'source', key: 'source', source: 'Shop', prefix: 'SHO' })
  for (let number = 1; number <= cases; number += 1) {
    const steps = [{ action: `Open ${number}`, expected: 'It is shown' }]
    yield line({ kind: 'case', key: `SHO-${number}`, number, title: getCaseTitle(number), template: 'steps', steps })
  }
  for (let run = 1; run <= runs; run += 1) {
    const times = { created_at: toTime(run, 0), completed_at: toTime(run, cases) }
    yield line({ kind: 'run', key: `run-${run}`, name: `Nightly ${run}`, status: 'completed', ...times })
    for (let number = 1; number <= cases; number += 1) {
      const status = STATUSES[(number + run) % STATUSES.length] ?? 'passed'
      const note = status === 'failed' ? `Expected ${number} in run ${run}` : ''
      yield line({
        kind: 'result',
        run: `run-${run}`,
        case: `SHO-${number}`,
        status,
        note,
        elapsed_seconds: (number + run) % 90,
        at: toTime(run, number),
      })
    }
  }
}

const CELLS = ['ID', 'Title', 'Section', 'Priority', 'Type', 'Preconditions', 'Steps', 'Expected Result', 'Tags']

/** A workbook with a test case in each row, with its texts as shared strings, as Excel writes it. */
export async function createWorkbook(rows: number): Promise<Source> {
  const sharedOf = (row: number, column: number) => row * CELLS.length + column
  const content = await packFiles([
    [
      '[Content_Types].xml',
      () => [
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
      ],
    ],
    [
      'xl/workbook.xml',
      () => [
        '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Cases" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      () => [
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
      ],
    ],
    ['xl/worksheets/sheet1.xml', () => listSheet(rows, sharedOf)],
    ['xl/sharedStrings.xml', () => listSharedStrings(rows)],
  ])
  return { name: 'cases.xlsx', content }
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

function* listSheet(rows: number, sharedOf: (row: number, column: number) => number): Generator<string> {
  yield `<?xml version="1.0"?><worksheet ${MAIN}><sheetData>`
  for (let row = 0; row <= rows; row += 1) {
    const cells = CELLS.map(
      (_, column) => `<c r="${String.fromCodePoint(65 + column)}${row + 1}" t="s"><v>${sharedOf(row, column)}</v></c>`,
    )
    yield `<row r="${row + 1}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function* listSharedStrings(rows: number): Generator<string> {
  yield `<?xml version="1.0"?><sst ${MAIN}>`
  const toText = (texts: readonly string[]) => texts.map((text) => `<si><t>${text}</t></si>`).join('')
  yield toText(CELLS)
  for (let row = 1; row <= rows; row += 1) {
    yield toText([
      `TC-${row}`,
      getCaseTitle(row),
      `Basket &gt; Part ${row % 200}`,
      PRIORITIES[row % 4] ?? 'High',
      'Functional',
      `A customer is signed in, and the basket has item ${row}.`,
      `1. Open ${row}\n2. Pay ${STEP_TEXT}\n3. Leave`,
      `1. It is shown\n2. Item ${row} is paid\n3. The basket is empty`,
      `tag-${row % 30}`,
    ])
  }
  yield '</sst>'
}

type PackedFile = readonly [name: string, list: () => Iterable<string>]

/** Texts are joined to larger ones, as streams of single lines take several times as long. */
async function* joinLines(lines: Iterable<string>): AsyncGenerator<string> {
  let joined = ''
  for (const line of lines) {
    joined += line
    if (joined.length < 65_536) continue
    yield await Promise.resolve(joined)
    joined = ''
  }
  if (joined !== '') yield joined
}

// oxlint-disable-next-line require-await -- an iterable of what is there
async function* listEntries(files: readonly PackedFile[]): AsyncGenerator<ZipEntry> {
  for (const [name, list] of files) yield { name, content: joinLines(list()) }
}

const packFiles = async (files: readonly PackedFile[]): Promise<Buffer> =>
  await buffer(createZipStream(listEntries(files), new Date()))
