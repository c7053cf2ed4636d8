import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { connect } from '../../connect.ts'
import { type Context, errorDocument, CommandError, type CommandResult } from '../../context.ts'
import { readError } from '../upload/find-files.ts'
import { projectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readConnection } from '../../settings.ts'
import { pluralize, toTerminalText } from '../../terminal.ts'
import { splitIntoBatches, findOversized } from './batches.ts'
import { createTestCases } from './create-test-cases.ts'
import { CsvError, parseCsv } from './csv.ts'
import { readTestCases, readTree } from './export.ts'
import { invalidFileError, type LineError, throwIfInvalid } from './line-errors.ts'
import { type NewTestCase, parseTestCase } from './parse-test-case.ts'
import { readRows } from './test-case-rows.ts'

export interface ImportOptions extends ConnectionOptions {
  readonly project?: string
  readonly dryRun?: boolean
}

/** Every line is looked at before the first test case is made. */
export async function importTestCases(file: string, options: ImportOptions, context: Context): Promise<CommandResult> {
  const { around, terminal } = context
  const { cases, ignored } = readCases(await readText(file, context))
  const session = connect(await readConnection(options, around), options, context)
  const setting = projectSetting(options.project, around.env)
  const { id } = await resolveProject(session, setting)
  const tree = await readTree(id, setting, session)
  if (cases.some(({ body }) => typeof body.automation_key === 'string')) {
    throwIfInvalid(findTakenKeys(cases, await readTestCases(id, setting, session)))
  }
  if (ignored.length > 0) terminal.warn([`These columns mean nothing here: ${ignored.map(toTerminalText).join(', ')}.`])

  const dryRun = options.dryRun === true
  const about = { project: setting ?? undefined }
  const done = await createTestCases(splitIntoBatches(cases), { projectId: id, tree, session, about, dryRun })
  const { created, folders, failure } = done
  const said = dryRun ? 'Would create' : 'Created'
  const made = folders > 0 ? ` and ${pluralize(folders, 'folder')}` : ''
  const range =
    created.length === 0 || dryRun ? '' : `: ${created.at(0)}${created.length > 1 ? ` to ${created.at(-1)}` : ''}`
  const total = dryRun ? cases.length : created.length
  terminal.print([`${said} ${pluralize(total, 'test case')}${made}${range}.`])
  const document = { dry_run: dryRun, created: total, folders_created: folders, test_case_ids: created }
  if (failure === null) return { exitCode: 0, document }
  const exitCode = created.length > 0 ? 2 : 1
  if (!context.json) throw new CommandError(failure.lines, { code: failure.code, exitCode })
  return { exitCode, document: { ...document, ...errorDocument(failure.message, failure.code) } }
}

async function readText(file: string, { around }: Context): Promise<string> {
  try {
    const bytes = file === '-' ? await readAll(around.stdin) : await readFile(resolve(around.cwd(), file))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'it is not UTF-8: save it as “CSV UTF-8”'
        : code === 'ENOENT'
          ? 'there is no such file'
          : readError(error)
    throw new CommandError([`${toTerminalText(file)}: ${why}`], { code: 'input' })
  }
}

async function readAll(stdin: Context['around']['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @throws {CommandError} that names everything that is wrong with the file, by line */
function readCases(text: string): { cases: NewTestCase[]; ignored: readonly string[] } {
  const read = readRows(parse(text))
  if ('wrong' in read) {
    throwIfInvalid(read.wrong)
    return { cases: [], ignored: [] }
  }
  const [cases, wrong]: [NewTestCase[], LineError[]] = [[], []]
  for (const row of read.rows) {
    const one = parseTestCase(row)
    if ('wrong' in one) wrong.push(...one.wrong.map((message) => ({ line: row.line, message })))
    else cases.push(one)
  }
  throwIfInvalid([...wrong, ...findKeysGivenTwice(cases), ...findOversized(cases)])
  return { cases, ignored: read.ignored }
}

function parse(text: string) {
  try {
    return parseCsv(text)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidFileError([{ line: error.line, message: error.message }])
  }
}

function findKeysGivenTwice(cases: readonly NewTestCase[]): LineError[] {
  const first = new Map<string, number>()
  return cases.flatMap(({ line, body: { automation_key: key } }) => {
    if (typeof key !== 'string') return []
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, line)
    return earlier === undefined ? [] : [{ line, message: `its automation key is that of line ${earlier}, too` }]
  })
}

function findTakenKeys(
  cases: readonly NewTestCase[],
  present: readonly { id: string; automation_key: string | null }[],
): LineError[] {
  const taken = new Map(present.map(({ id, automation_key }) => [automation_key, id]))
  return cases.flatMap(({ line, body: { automation_key: key } }) => {
    const owner = typeof key === 'string' ? taken.get(key) : undefined
    return owner === undefined ? [] : [{ line, message: `its automation key is taken by ${owner}` }]
  })
}
