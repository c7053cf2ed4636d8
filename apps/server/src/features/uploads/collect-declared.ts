import {
  MAX_ATTEMPT_ATTACHMENTS,
  MAX_DECLARED_ATTACHMENTS,
  type ReportFile,
} from '@caseward/contract/declared-attachments'
import type { RefusedAttachment } from '@caseward/contract/uploads'
import type { ReportedAttachment } from '@caseward/matching/attempt'
import { cleanName } from '@caseward/matching/clean-name'
import { cutText } from '@caseward/matching/note'

import type { Declaration } from '../attachments/store-declared.queries.ts'
import { describeTooLarge } from '../files/file-problems.ts'

/** What may have attachments in an upload: an attempt at a test, or an item of format `json`. */
export interface DeclaringAttempt {
  /** Null for an item. */
  testId: string | null
  /** Test cases whose result the attachments belong to; the first one that is in the run counts. */
  caseNumbers: readonly number[]
  source: number
  /** From 1. */
  attempt: number
  /** Path of the report; undefined if it came alone. */
  report: string | undefined
  attachments: readonly ReportedAttachment[]
  /** Whether its result or outcome was stored. */
  isStored: boolean
}

/** What an upload declares. */
export interface CollectedAttachments {
  /** How many attachments it names, those that are refused included. */
  declared: number
  declarations: Declaration[]
  refused: RefusedAttachment[]
}

const MAX_NAME_LENGTH = 255

/** Cleans a name, which never fails a result. */
function toName(name: string): string {
  const cleaned = cleanName(cutText(name, MAX_NAME_LENGTH)).trim()
  return cleaned === '' ? 'file' : cleaned
}

/** Finds the file that a report names. */
export type FindFile = (path: string, report: string | undefined) => ReportFile | undefined

/** A path as reports of Windows and others write it. */
const toComparablePath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')

/** Prepares the files of a body to be found by their path, in one report or in all. */
export function createFileFinder(files: readonly ReportFile[]): FindFile {
  const toKey = (path: string, report: string | undefined) => JSON.stringify([toComparablePath(path), report ?? null])
  const toReport = (report: string | undefined) => (report === undefined ? undefined : toComparablePath(report))
  const byPath = new Map(files.map((file) => [toKey(file.path, toReport(file.report)), file]))
  return (path, report) => byPath.get(toKey(path, toReport(report))) ?? byPath.get(toKey(path, undefined))
}

/** What an upload needs to know of the files that its tests name. */
export interface DeclareOptions {
  findFile: FindFile
  /** Size limit of a file. */
  limitBytes: number
}

/** Collects what an upload declares, and refuses what exceeds a limit. */
export function collectDeclared(
  attempts: Iterable<DeclaringAttempt>,
  { findFile, limitBytes }: DeclareOptions,
): CollectedAttachments {
  const collected: CollectedAttachments = { declared: 0, declarations: [], refused: [] }
  const refuse = (name: string, code: RefusedAttachment['code'], error: string) =>
    collected.refused.push({ name, code, error })
  for (const attempt of attempts) {
    const seen = new Set<string>()
    for (const attachment of attempt.attachments) {
      collected.declared += 1
      const name = toName(attachment.name)
      const content = findContent(attachment, attempt.report, findFile)
      if (content === null) {
        refuse(attachment.path ?? name, 'not_declared', describeNotDeclared())
        continue
      }
      const key = `${content.sha256} ${name}`
      if (!attempt.isStored) {
        refuse(name, 'result_not_stored', 'The result that it belongs to was not stored.')
      } else if (content.byteCount > limitBytes) {
        refuse(name, 'file_too_large', describeTooLarge(limitBytes))
      } else if (!seen.has(key) && seen.size >= MAX_ATTEMPT_ATTACHMENTS) {
        refuse(name, 'too_many_attachments', `An attempt can have up to ${MAX_ATTEMPT_ATTACHMENTS} files.`)
      } else if (!seen.has(key) && collected.declarations.length >= MAX_DECLARED_ATTACHMENTS) {
        const limit = MAX_DECLARED_ATTACHMENTS.toLocaleString('en')
        refuse(name, 'too_many_attachments', `An upload can declare up to ${limit} files. Send the results in several.`)
      } else if (!seen.has(key)) {
        seen.add(key)
        collected.declarations.push({ ...toDeclaration(attempt, name, content), isTrace: attachment.kind === 'trace' })
      }
    }
  }
  return collected
}

interface Content {
  sha256: string
  byteCount: number
}

/** The digest and size of an attachment: its own, or those that the body lists for its path; null for none. */
function findContent(
  { path, sha256, byteCount }: ReportedAttachment,
  report: string | undefined,
  findFile: FindFile,
): Content | null {
  if (path !== undefined) {
    const file = findFile(path, report)
    if (file !== undefined) return { sha256: file.sha256, byteCount: file.byte_count }
  }
  // A content in the report itself has a digest, and is not sent unless the client lists it.
  return path === undefined && sha256 !== undefined && byteCount !== undefined ? { sha256, byteCount } : null
}

const toDeclaration = (
  { testId, caseNumbers, source, attempt }: DeclaringAttempt,
  name: string,
  { sha256, byteCount }: Content,
) => ({ testId, caseNumbers, source, attempt, name, sha256, byteCount })

const describeNotDeclared = () =>
  'The report names this file, and `files` of the body does not list it. Upload the report with `caseward upload`, which does.'
