import type { Encoding } from '@caseward/case-files/decode-text'

import type { Recognized } from './formats/format.ts'
import { Folders, splitFolderPath } from './formats/folders.ts'
import { readGherkin } from './formats/gherkin/read-gherkin.ts'
import { readMarkdown } from './formats/markdown/read-markdown.ts'
import { chooseProject } from './formats/testmo/choose-project.ts'
import { type Datasets, findDatasets } from './formats/testmo/testmo-datasets.ts'
import { readTestmo } from './formats/testmo/testmo.ts'
import { XML_FORMATS } from './formats/table-formats.ts'
import { ImportProblem } from './import-problem.ts'
import { type ImportFile, readBytes } from './input/import-file.ts'
import { findEncoding, readText } from './input/read-text.ts'
import { openZip } from './input/zip.ts'
import { LIMITS } from './limits.ts'
import { recognizeBundle } from './recognize-bundle.ts'
import { recognizeTables } from './recognize-tables.ts'
import { createCsvTable } from './tables/csv-table.ts'
import { readHtmlTables, readSpreadsheetMl } from './tables/markup-tables.ts'
import { openXlsx } from './tables/xlsx.ts'
import { readXmlStart } from './xml/read-xml.ts'

/** What the user has chosen instead of what would be recognized. */
export interface Choices {
  readonly encoding?: Encoding
  readonly delimiter?: string
  /** The name of the project of a file that has several. */
  readonly project?: string
}

const HEAD_BYTES = 65_536
/** JSON, Gherkin and Markdown are read as a whole. */
const WHOLE_BYTES = 64 * 2 ** 20

/**
 * Recognizes a file by its content, never by its name.
 * @throws {ImportProblem} if it is nothing that can be imported
 */
export async function recognize(file: ImportFile, choices: Choices = {}): Promise<Recognized> {
  if (file.byteCount > LIMITS.fileBytes) {
    throw new ImportProblem('file_too_large', `The file is larger than ${LIMITS.fileBytes / 2 ** 20} MB.`)
  }
  const head = await readBytes(file, 0, HEAD_BYTES)
  if (head.length === 0) throw new ImportProblem('empty_file', 'The file is empty.')
  const start = Buffer.from(head)
  if (start.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return recognizeArchive(file, choices)
  if (start.subarray(0, 4).toString('latin1') === 'PK\u0005\u0006')
    throw new ImportProblem('empty_file', 'The archive is empty.')
  refuseBinary(start)
  const encoding =
    choices.encoding === undefined ? await findEncoding(file) : { encoding: choices.encoding, isCertain: true }
  const text = new TextDecoder(encoding.encoding).decode(start)
  const trimmed = text.trimStart()
  if (trimmed === '' && file.byteCount <= HEAD_BYTES)
    throw new ImportProblem('empty_file', 'The file contains only blanks.')
  if (/^<(?:!doctype html|html|table|head|body|style)\b/i.test(trimmed)) {
    const html = await recognizeTables(readHtmlTables(await readWhole(file, encoding.encoding)))
    if (html !== null) return { ...html, encoding }
    throw noTable()
  }
  // Markdown can begin with comments, too.
  const behindComments = trimmed.replace(/^(?:<!--(?:(?!-->)[^])*-->\s*)+/, '')
  if (behindComments === '' || /^<[?!a-z]/i.test(behindComments)) return recognizeXml(file)
  if (/^[{[]/.test(trimmed)) {
    const json = await recognizeJson(file, encoding.encoding, choices)
    if (json !== null) return json
  }
  if (isGherkin(trimmed)) return recognizeTexts('gherkin', [file], { chosen: encoding.encoding })
  const tables = await recognizeTables([createCsvTable(file, encoding.encoding, choices.delimiter)])
  if (tables !== null) return { ...tables, encoding }
  if (/^#{1,6}\s+\S/m.test(text)) return recognizeTexts('markdown', [file], { chosen: encoding.encoding })
  if (/[,;\t]/.test(/^[^\n]*/.exec(trimmed)?.[0] ?? '') || /^\S.*? {3,}\S/m.test(trimmed)) throw noTable()
  throw unknown(text)
}

const noTable = () =>
  new ImportProblem(
    'no_table',
    'No row with headings and rows below it was found. The first rows need one that names the columns: at least a title and one more, such as Steps or Priority.',
  )

const unknown = (text: string) => {
  const start = text.slice(0, 80).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
  return new ImportProblem('unknown_format', `The format is not known. The file begins with: ${start}`)
}

function refuseBinary(start: Buffer): void {
  const signature = start.subarray(0, 8).toString('latin1')
  if (signature === '\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1') {
    if (start.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
      throw new ImportProblem(
        'encrypted',
        'The workbook is protected with a password. Save it without one, and try again.',
      )
    }
    throw legacyExcel()
  }
  // oxlint-disable-next-line no-control-regex -- the first bytes of a file
  if (/^\u0009[\u0000\u0002\u0004\u0008][\u0004-\u0010]\u0000/.test(signature)) throw legacyExcel()
  // oxlint-disable-next-line no-control-regex -- the first bytes of a file
  if (/^(?:%PDF|\u0089PNG|\u00FF\u00D8\u00FF|GIF8|Rar!|7z\u00BC|\u001F\u008B)/.test(signature)) {
    throw unknown(signature)
  }
}

const legacyExcel = () =>
  new ImportProblem(
    'legacy_excel',
    'This is a workbook of Excel 97 to 2003. Open it and save it as .xlsx, then try again.',
  )

/** `Feature:` in any language, possibly below tags and comments. */
const isGherkin = (text: string) =>
  /^#\s*language\s*:/.test(text) ||
  (/^(?:\s*(?:#[^\n]*|@[^\n]*)?\n){0,40}\s*[\p{L} ]{3,30}:[^\n]*(?:\n[^\n]*){0,80}\n\s*[\p{L} ]{3,30}:/u.test(text) &&
    /^\s*(?:Feature|Business Need|Ability|Funktionalität|Funzionalità|Fonctionnalité|Funcionalidade|Característica|Функция|Функционал|Właściwość|功能|機能|기능|Özellik|Функціонал)\s*:/mu.test(
      text,
    ))

async function readWhole(file: ImportFile, encoding: Encoding): Promise<string> {
  if (file.byteCount > WHOLE_BYTES) {
    throw new ImportProblem(
      'file_too_large',
      `A file of this format must not be larger than ${WHOLE_BYTES / 2 ** 20} MB.`,
    )
  }
  const pieces: string[] = []
  for await (const piece of readText(file, encoding)) pieces.push(piece)
  return pieces.join('')
}

async function recognizeXml(file: ImportFile): Promise<Recognized> {
  const start = await readXmlStart(file)
  const found = XML_FORMATS.find((format) => format.matches(start))
  if (found !== undefined) {
    return { system: found.system, format: found.format, read: (context) => found.read(file, context) }
  }
  if (start.root === 'Workbook') {
    const tables = await recognizeTables(await readSpreadsheetMl(file))
    if (tables !== null) return tables
    throw noTable()
  }
  if (['testsuites', 'testsuite', 'test-run', 'TestRun', 'assemblies', 'testng-results'].includes(start.root)) {
    throw new ImportProblem(
      'is_results_file',
      'This is a report of test results. Upload it to a run instead of importing it.',
    )
  }
  if (start.root === 'robot') {
    throw new ImportProblem(
      'is_results_file',
      'This is a report of Robot Framework. Run it with --xunit, and upload that report to a run instead of importing this one.',
    )
  }
  const root = start.root.slice(0, 60)
  if (OTHER_TESTLINK_ROOTS.has(root)) {
    throw new ImportProblem(
      'unknown_format',
      `This is <${root}> of TestLink, which has no test cases of its own. Export the test specification instead.`,
    )
  }
  throw new ImportProblem('unknown_format', `This is XML with the root element <${root}>, which is not known.`)
}

/** What else TestLink exports. */
const OTHER_TESTLINK_ROOTS = new Set([
  'custom_fields',
  'keywords',
  'platforms',
  'requirements',
  'requirement-specification',
  'testplan',
])

const RESULT_KEYS = new Set(['tests', 'testExecutionKey', 'info'])

async function recognizeJson(file: ImportFile, encoding: Encoding, choices: Choices): Promise<Recognized | null> {
  const text = await readWhole(file, encoding)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    // A table may begin with a bracket.
    if (!text.trimStart().startsWith('{')) return null
    throw new ImportProblem('unreadable_file', `The file begins as JSON, and is none: ${(error as Error).message}.`)
  }
  const datasets = findDatasets(json)
  if (datasets !== null) return recognizeTestmo(datasets, choices)
  const [first] = Array.isArray(json) ? (json as unknown[]) : [json]
  const keys = typeof first === 'object' && first !== null ? Object.keys(first) : []
  if (keys.some((key) => RESULT_KEYS.has(key)) || (keys.includes('elements') && keys.includes('keyword'))) {
    throw new ImportProblem(
      'is_results_file',
      'These are test results. Upload them to a run instead of importing them.',
    )
  }
  throw unknown(text)
}

const recognizeTestmo = (datasets: Datasets, { project }: Choices): Recognized => ({
  system: 'testmo',
  format: 'testmo',
  // oxlint-disable-next-line require-await -- its records are there at once
  read: async function* (context) {
    yield* readTestmo(chooseProject(datasets, project, context), context)
  },
})

/** @param options.others files beside them in an archive, which are counted */
function recognizeTexts(
  format: 'gherkin' | 'markdown',
  files: readonly ImportFile[],
  { chosen, others = [] }: { chosen?: Encoding; others?: readonly ImportFile[] } = {},
): Recognized {
  return {
    system: format,
    format,
    async *read({ losses }) {
      const folders = new Folders()
      for (const { name } of others) losses.add('not_imported:other_files', { place: name })
      for (const file of files) {
        const encoding = chosen ?? (await findEncoding(file)).encoding
        const text = await readWhole(file, encoding)
        const path = splitFolderPath(file.name, '/').slice(0, -1)
        if (format === 'gherkin') yield* readGherkin(text, file.name, path, folders)
        else yield* readMarkdown(text, path, folders, losses)
      }
    },
  }
}

async function recognizeArchive(file: ImportFile, choices: Choices): Promise<Recognized> {
  const files = await openZip(file)
  const bundle = await recognizeBundle(files)
  if (bundle !== null) return bundle
  if (files.has('xl/workbook.xml')) {
    const tables = await recognizeTables(await openXlsx(files))
    if (tables !== null) return tables
    throw noTable()
  }
  const all = [...files.values()].filter(({ name }) => !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name))
  if (all.length === 1 && all[0] !== undefined) return recognizeInner(all[0], choices)
  const named = (pattern: RegExp) => all.filter(({ name }) => pattern.test(name))
  const without = (read: readonly ImportFile[]) =>
    all.filter((each) => !read.includes(each) && !each.name.endsWith('/'))
  const features = named(/\.feature$/i)
  if (features.length > 0) return recognizeTexts('gherkin', features, { others: without(features) })
  const pages = named(/\.(?:md|markdown)$/i)
  if (pages.length > 0) return recognizeTexts('markdown', pages, { others: without(pages) })
  const jsons = named(/\.json$/i)
  if (jsons.length > 0) return recognizeTestmoParts(jsons, choices)
  throw unknown(all.map(({ name }) => name).join(', '))
}

async function recognizeInner(file: ImportFile, choices: Choices): Promise<Recognized> {
  const start = await readBytes(file, 0, 2)
  if (Buffer.from(start).toString('latin1') === 'PK') {
    throw new ImportProblem(
      'unreadable_file',
      'The archive contains another archive. Unpack it, and import the inner one.',
    )
  }
  return recognize(file, choices)
}

/** Datasets in a file each. */
async function recognizeTestmoParts(files: readonly ImportFile[], choices: Choices): Promise<Recognized> {
  const datasets = new Map<string, readonly Readonly<Record<string, unknown>>[]>()
  for (const file of files) {
    try {
      const json: unknown = JSON.parse(await readWhole(file, 'utf-8'))
      const name = file.name.replace(/^.*\//, '').replace(/\.json$/i, '')
      for (const [key, rows] of findDatasets(json) ?? findDatasets({ [name]: json }) ?? []) datasets.set(key, rows)
    } catch (error) {
      throw new ImportProblem('unreadable_file', `"${file.name}" is no valid JSON.`, { cause: error })
    }
  }
  if (datasets.size === 0) throw unknown(files.map(({ name }) => name).join(', '))
  return recognizeTestmo(datasets, choices)
}
