import { truncateText } from './clean-text.ts'

/**
 * Names of the properties that contain test case ids, and the tool whose ids they are; `tms` is any, and nothing says that it is
 * open. The names are those of the tools' own reporters.
 */
const ID_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['test_case_id', ''],
  ['test_id', ''],
  ['test_key', ''],
  ['testrail_id', 'testrail'],
  ['TestRailID', 'testrail'],
  ['testrail_case_id', 'testrail'],
  ['qase_id', 'qase'],
  ['QaseID', 'qase'],
  ['azure_test_case_id', 'azure'],
  ['kiwi_id', 'kiwi'],
  ['practitest_id', 'practitest'],
  ['allure_id', 'allure'],
  ['AllureID', 'allure'],
  ['testmo_id', 'testmo'],
  ['tms', 'tms'],
  ['TmsLink', 'tms'],
  ['tms_link', 'tms'],
])

/** A test has at most 200 test cases. One more id is kept, so that the caller can report that there are too many. */
const MAX_IDS = 201

/** How much of an id is kept, in UTF-16 units. No id is that long. */
const MAX_ID_LENGTH = 255

// A value contains no `[`, so that the search stays linear however many lines are incomplete.
const ID_LINE = /\[\[PROPERTY\|(?:test_case_id|test_id|test_key)(?:=([^[\]\r\n]*)\]\]|\]\])/g
const BLOCK_END = '[[/PROPERTY]]'
const MAX_BLOCK_LENGTH = 4096

/** How many such lines of a text are read. No test prints that many; more would hold up other requests. */
const MAX_LINES = 10_000

/** Start of such a line. Output without it does not have to be searched. */
export const PROPERTY_LINE = '[[PROPERTY|'

export function isIdProperty(name: string | undefined): boolean {
  return name !== undefined && ID_PROPERTIES.has(name)
}

/**
 * Adds the ids of one property, separated by commas or white space, in order and without duplicates. Those of another tool begin
 * with its name: `testrail:C17`.
 */
export function addCaseIds(ids: string[], value: string, property = ''): void {
  const system = ID_PROPERTIES.get(property) ?? ''
  for (const [part] of value.matchAll(/[^\s,]+/g)) {
    if (ids.length >= MAX_IDS) return
    const id = truncateText(system === '' ? part : `${system}:${part}`, MAX_ID_LENGTH)
    if (!ids.includes(id)) ids.push(id)
  }
}

/**
 * Adds the ids that a test printed, for tools that cannot write properties: `[[PROPERTY|test_case_id=WEB-12]]`, or on
 * several lines `[[PROPERTY|test_case_id]]` … `[[/PROPERTY]]`. Source: Testmo's JUnit XML conventions
 * (github.com/testmoapp/junitxml), which TestRail's trcli also reads.
 */
export function addPrintedCaseIds(ids: string[], output: string): void {
  let blockEnd = -2
  let lineCount = 0
  for (const line of output.matchAll(ID_LINE)) {
    if (ids.length >= MAX_IDS || ++lineCount > MAX_LINES) return
    const start = line.index + line[0].length
    // Searched again only after it was passed, so that a thousand unclosed blocks cost no more than one.
    if (blockEnd !== -1 && blockEnd < start) blockEnd = output.indexOf(BLOCK_END, start)
    if (line[1] !== undefined) addCaseIds(ids, line[1])
    else if (blockEnd !== -1 && blockEnd - start <= MAX_BLOCK_LENGTH) addCaseIds(ids, output.slice(start, blockEnd))
  }
}
