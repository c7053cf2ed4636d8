import { createByteDecoder } from '@caseward/junit/decode-bytes'
import { describeOtherFormat } from '@caseward/junit/other-formats'

import { describeReadError, readInput } from '../../read-input.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'
import type { FileOutcome } from './file-outcome.ts'
import type { FoundFile } from './find-files.ts'
import { findRootElement } from './find-root-element.ts'
import { describeOversizedFile, LIMIT_BYTES } from './prepare-upload.ts'

/** A file whose bytes have been read. */
export interface ReadFile {
  readonly file: FoundFile
  readonly bytes: Buffer<ArrayBuffer>
  /** The text of an XML file, which can be sent together with others; null for other files. */
  readonly xml: string | null
}

/** Reads a file. A file that cannot be read, or is XML of another kind in a directory or pattern, has its outcome already. */
export async function readUploadFile(
  file: FoundFile,
  stdin: RuntimeEnvironment['stdin'],
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
  return { file, bytes, xml }
}

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
