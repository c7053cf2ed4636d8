/** The property names by which a test says which test case it belongs to. */
const ID_PROPERTIES: ReadonlySet<string> = new Set(['test_case_id', 'test_id', 'test_key'])

/** No test belongs to more cases than this; a value that lists more is not a list of ids. */
const MAX_IDS = 200

// No `[` in a value: thus no character is looked at twice, however many openings there are.
const ID_LINE = /\[\[PROPERTY\|(?:test_case_id|test_id|test_key)(?:=([^[\]\r\n]*)\]\]|\]\])/g
const BLOCK_END = '[[/PROPERTY]]'
const MAX_BLOCK_LENGTH = 4096

/** How such lines begin; output without any need not be searched. */
export const PROPERTY_LINE = '[[PROPERTY|'

export function isIdProperty(name: string | undefined): boolean {
  return name !== undefined && ID_PROPERTIES.has(name)
}

/** Adds the ids of one property, separated by commas or white space, in order and each once. */
export function addCaseIds(ids: string[], value: string): void {
  for (const id of value.split(/[\s,]+/, MAX_IDS + 2)) {
    if (id !== '' && ids.length < MAX_IDS && !ids.includes(id)) ids.push(id)
  }
}

/**
 * Adds the ids that a test printed, for tools that cannot write properties: `[[PROPERTY|test_case_id=WEB-12]]`, or over
 * several lines `[[PROPERTY|test_case_id]]` … `[[/PROPERTY]]`. Source: Testmo's JUnit XML conventions
 * (github.com/testmoapp/junitxml), which TestRail's trcli reads too.
 */
export function addPrintedCaseIds(ids: string[], output: string): void {
  let blockEnd = -2
  for (const line of output.matchAll(ID_LINE)) {
    const start = line.index + line[0].length
    // Looked for again only when passed, so that a thousand openings without an end cost no more than one.
    if (blockEnd !== -1 && blockEnd < start) blockEnd = output.indexOf(BLOCK_END, start)
    if (line[1] !== undefined) addCaseIds(ids, line[1])
    else if (blockEnd !== -1 && blockEnd - start <= MAX_BLOCK_LENGTH) addCaseIds(ids, output.slice(start, blockEnd))
  }
}
