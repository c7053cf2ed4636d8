import { MAX_REPORT_TESTS, type UploadedReport } from '@caseward/contract/upload-body'

import { Problem } from '../../platform/http/problems.ts'
import { createYielder } from '../../platform/yielder.ts'

const TAG_NAME = 'testcase'
/** The same in UTF-16 of either byte order: all bytes from the first letter to the last. */
const UTF16_TAG_NAME = Buffer.from(TAG_NAME, 'utf16le').subarray(0, -1)

/**
 * Counts the `<testcase>` elements of a report that is not parsed yet. Parsing a report of 10 MB that consists of nothing
 * else would take hundreds of megabytes. Those in comments count, too.
 */
export async function countTests(report: string | Buffer | readonly string[]): Promise<number> {
  if (typeof report === 'string') return await countInSlices([report])
  if (!Buffer.isBuffer(report)) return await countInSlices(report)
  let count = 0
  // In both, because the encoding is not known yet: a report in one of them contains no tag in the other.
  for (const tagName of [TAG_NAME, UTF16_TAG_NAME]) {
    count += await countTags(
      (from) => report.indexOf(tagName, from),
      (at) => report[at] || report[at - 1] || 0,
    )
  }
  return count
}

async function countInSlices(slices: readonly string[]): Promise<number> {
  let count = 0
  // A tag may begin in one slice and end in the next one. Too short for a tag with the character before it.
  let rest = ''
  for (const slice of slices) {
    const text = rest + slice
    count += await countTags(
      (from) => text.indexOf(TAG_NAME, from),
      (at) => text.charCodeAt(at),
    )
    rest = text.slice(-TAG_NAME.length)
  }
  return count
}

const LESS_THAN = 0x3c
const COLON = 0x3a

/**
 * Counts the tag names that follow `<` or the prefix of a namespace.
 * @param find returns the next position of the tag name, or -1
 * @param getCode returns the character at a position, or before it in UTF-16, where zero bytes are between characters
 */
async function countTags(find: (from: number) => number, getCode: (at: number) => number): Promise<number> {
  const yielder = createYielder()
  let count = 0
  for (let at = find(0); at !== -1; at = find(at + TAG_NAME.length)) {
    const code = getCode(at - 1)
    if (code === LESS_THAN || code === COLON) count += 1
    if (yielder.shouldYield()) await yielder.yield()
  }
  return count
}

/** @throws {Problem} 400 when a report has too many tests */
export function checkTestCount(count: number): void {
  if (count <= MAX_REPORT_TESTS) return
  const limit = MAX_REPORT_TESTS.toLocaleString('en')
  throw new Problem(400, 'too_many_tests', `The report has more than ${limit} tests. Send it in several uploads.`)
}

/** @throws {Problem} 400 when several reports have too many tests together */
export async function checkReports(reports: readonly UploadedReport[]): Promise<void> {
  let testCount = 0
  for (const report of reports) testCount += await countTests(report.junit_xml)
  checkTestCount(testCount)
}

/** Estimates the memory in bytes of a parsed report and of all that is made of it. Measured with reports of 10 MB. */
export const estimateReportMemory = (byteCount: number, testCount: number): number => 6 * byteCount + 2000 * testCount
