import { createByteDecoder } from '@caseward/junit/decode-bytes'
import { describeOtherFormat } from '@caseward/junit/other-formats'

import { describeReadError, readInput } from '../../read-input.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'
import type { FileOutcome } from './file-outcome.ts'
import type { FoundFile } from './find-files.ts'
import { findRootElement } from './find-root-element.ts'
import { findReportFiles, NO_FILES, type ReportFiles, type ReportFilesOptions } from './report-files.ts'
import { describeOversizedFile, LIMIT_BYTES } from './prepare-upload.ts'

/** A file whose bytes have been read. */
export interface ReadFile {
  readonly file: FoundFile
  readonly bytes: Buffer<ArrayBuffer>
  /** The text of an XML file, which can be sent together with others; null for other files. */
  readonly xml: string | null
  /** The files that the report names. */
  readonly files: ReportFiles
}

/** Reads a file. A file that cannot be read, or is XML of another kind in a directory or pattern, has its outcome already. */
export async function readUploadFile(
  file: FoundFile,
  stdin: RuntimeEnvironment['stdin'],
  filesOptions: ReportFilesOptions,
): Promise<ReadFile | FileOutcome> {
  const { name, path, sizeBytes, isNamed } = file
  const notStored = (reason: string): FileOutcome => ({ kind: 'not-stored', name, reasons: [reason] })
  if (sizeBytes > LIMIT_BYTES) return notStored(describeOversizedFile(sizeBytes))
  let bytes: Buffer<ArrayBuffer>
  try {
    bytes = await readInput(path, stdin, LIMIT_BYTES)
  } catch (error) {
    return notStored(describeReadError(error))
  }
  const xml = path === null ? null : decodeXml(bytes)
  const root = xml === null ? null : findRootElement(xml)
  const otherFormat = root === null ? null : describeOtherFormat(root)
  if (otherFormat !== null && !isNamed) {
    return { kind: 'skipped', name, reason: /^.*?\.(?= |$)/.exec(otherFormat)?.[0] ?? otherFormat }
  }
  const files = isXml(bytes) ? await findReportFiles(bytes, path, filesOptions) : NO_FILES
  // A report on standard input is sent as it is, unless it names files: they are declared in JSON.
  return { file, bytes, xml: xml === null && files.declared.length > 0 ? decodeXml(bytes) : xml, files }
}

/** Whether a file may be a report: JSON has no files. */
const isXml = (bytes: Uint8Array): boolean => !/^[\s\uFEFF]*[[{]/.test(Buffer.from(bytes.subarray(0, 100)).toString())

/** Decodes a file as the server does; null if it is not XML. */
function decodeXml(bytes: Uint8Array): string | null {
  try {
    const decoder = createByteDecoder()
    const text = decoder.write(bytes) + decoder.end()
    return /^[\s\uFEFF]*</.test(text) ? text : null
  } catch {
    return null
  }
}
