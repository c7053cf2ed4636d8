import { createHash } from 'node:crypto'

import { getEvidence } from './attempt-evidence.ts'
import { addFile } from './named-files.ts'
import type { OpenTestcase } from './open-testcase.ts'

/**
 * What becomes of the output of failed tests: nothing, a file that is only named, or a file with its content. The path of
 * the file is `output:` and the number of the testcase in the report, so that two readers of a report name it equally.
 */
export type OutputFiles = 'none' | 'named' | 'kept'

/** Start of the paths of such files. */
export const OUTPUT_PATH = 'output:'

const MAX_OUTPUT_BYTES = 5 * 1_048_576

export function addOutput(testcase: OpenTestcase, text: string, mode: OutputFiles): void {
  if (testcase.output === null && text.trim() === '') return
  const earlier = testcase.output ?? ''
  const joint = earlier === '' || earlier.endsWith('\n') ? '' : '\n'
  testcase.output = mode === 'named' || earlier.length > MAX_OUTPUT_BYTES ? earlier : `${earlier}${joint}${text}`
}

/** Adds the output of a failed test to its files, when the test ends. */
export function addOutputFile({ number, attempt, output }: OpenTestcase, mode: OutputFiles): void {
  if (output === null || attempt.status !== 'failed') return
  const file = { path: `${OUTPUT_PATH}${number}`, name: 'output.txt', attempt: 'own' } as const
  const { files } = getEvidence(attempt)
  if (mode === 'named') return addFile(files, file)
  const content = truncateUtf8(Buffer.from(output.replace(/^\s*\n/, ''), 'utf8'))
  const sha256 = createHash('sha256').update(content).digest('hex')
  addFile(files, { ...file, sha256, byteCount: content.length, content })
}

/** Cuts a text at the limit, but never within a character. */
function truncateUtf8(bytes: Buffer): Buffer {
  let end = Math.min(bytes.length, MAX_OUTPUT_BYTES)
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}
