import { basename, dirname } from 'node:path'

import type { FileToSend } from '@caseward/ci-run/send-files'
import type { EqualName, UploadBody } from '@caseward/client/endpoints'
import { JUnitError, type JUnitReport, type NamedFile, parseJUnit } from '@caseward/junit'
import { toReportedTests } from '@caseward/junit/to-tests'

import { findAttachment, readAttachment } from './find-attachment.ts'

/** Whose files are sent. */
export const ATTACHMENTS_OF = ['failed', 'all', 'none'] as const
export type AttachmentsOf = (typeof ATTACHMENTS_OF)[number]

export interface ReportFilesOptions {
  readonly of: AttachmentsOf
  /** The directories of `--attachments-dir`, and the working directory. */
  readonly directories: readonly string[]
  /** Whether the output of failed tests is a file of theirs. */
  readonly includesOutput: boolean
  readonly equalNames: EqualName | undefined
}

/** The files that a report names, of the tests whose files are sent. */
export interface ReportFiles {
  /** For the upload, which matches them with the report. */
  readonly declared: readonly DeclaredFile[]
  readonly contents: readonly FileToSend[]
  readonly refused: readonly RefusedFile[]
}

/** Most files that one upload can declare. */
export const MAX_REPORT_FILES = 10_000

export type DeclaredFile = NonNullable<UploadBody['files']>[number]

export interface RefusedFile {
  /** As the report writes it. */
  readonly name: string
  readonly code: string
  readonly error: string
}

export const NO_FILES: ReportFiles = { declared: [], contents: [], refused: [] }

const neverYields = { shouldYield: () => false, yield: () => Promise.resolve() }

/** Finds the files that a report names. A report that cannot be read has none: the server says what is wrong with it. */
export async function findReportFiles(
  bytes: Uint8Array,
  reportPath: string | null,
  { of, directories, includesOutput, equalNames }: ReportFilesOptions,
): Promise<ReportFiles> {
  if (of === 'none') return NO_FILES
  const report = await parseReport(bytes, includesOutput)
  // Few reports name any.
  if (report === null || !hasFiles(report)) return NO_FILES
  const tests = await toReportedTests(report, neverYields, equalNames === undefined ? {} : { equalNames })
  const attempts = tests.flatMap((test) => test.attempts)
  const wanted = attempts.filter(({ status }) => of === 'all' || status === 'failed' || status === 'interrupted')
  const paths = new Set(wanted.flatMap(({ attachments = [] }) => attachments.flatMap(({ path }) => path ?? [])))
  const known = new Map(listContents(report).map((file) => [file.path, file]))
  const searched = reportPath === null ? directories : [dirname(reportPath), ...directories]

  const files = { declared: [] as DeclaredFile[], contents: [] as FileToSend[], refused: [] as RefusedFile[] }
  for (const path of paths) {
    const content = known.get(path)
    const found = content === undefined ? await findFile(path, searched) : toFile(content)
    if ('error' in found) files.refused.push({ name: path, ...found })
    else if (files.declared.length === MAX_REPORT_FILES) {
      const error = `an upload can have ${MAX_REPORT_FILES} files`
      files.refused.push({ name: path, code: 'too_many_attachments', error })
    } else {
      files.declared.push({ path, sha256: found.sha256, byte_count: found.byteCount })
      files.contents.push(found)
    }
  }
  return files
}

async function parseReport(bytes: Uint8Array, includesOutput: boolean): Promise<JUnitReport | null> {
  try {
    return await parseJUnit(bytes, { keepsContents: true, outputFiles: includesOutput ? 'kept' : 'none' })
  } catch (error) {
    if (error instanceof JUnitError) return null
    throw error
  }
}

const hasFiles = ({ attempts }: JUnitReport): boolean =>
  attempts.some(
    ({ evidence, details, context }) =>
      evidence !== null || context.files.length > 0 || details.some(({ files }) => files !== undefined),
  )

const listContents = ({ attempts }: JUnitReport): NamedFile[] =>
  attempts
    .flatMap(({ evidence, context }) => [...(evidence?.files ?? []), ...context.files])
    .filter(({ content }) => content !== undefined)

function toFile({ path, name, sha256 = '', content }: NamedFile): FileToSend {
  const bytes = Uint8Array.from(content ?? [])
  const read = (start: number, end: number) => Promise.resolve(bytes.slice(start, end))
  return { name: name ?? path, sha256, byteCount: bytes.length, read }
}

async function findFile(name: string, directories: readonly string[]): Promise<FileToSend | Omit<RefusedFile, 'name'>> {
  if (name === 'data:') return { code: 'unreadable', error: 'a data: address must be valid and of up to 1 MB' }
  const found = await findAttachment(name, directories)
  if ('code' in found) return { code: found.code, error: found.reason }
  return { ...found, name: basename(found.path), read: (start, end) => readAttachment(found.path, start, end) }
}
