/** Root elements of the reports that people upload by mistake, and what they are. Lower case, without a prefix. */
const KNOWN_ROOTS: ReadonlyMap<string, string> = new Map([
  ['test-run', 'an NUnit 3 report'],
  ['test-results', 'an NUnit 2 report'],
  ['testrun', 'a TRX report (Visual Studio, dotnet test)'],
  ['assemblies', 'an xUnit.net report'],
  ['assembly', 'an xUnit.net report'],
  ['robot', 'a Robot Framework report'],
  ['testng-results', 'a TestNG report'],
  ['html', 'an HTML page'],
  ['site', "CTest's own Test.xml"],
  ['test-suite', 'an Allure 1 report'],
  ['testlog', 'a Boost.Test log'],
  ['testresult', 'a Boost.Test report'],
  ['catch', 'a Catch2 report'],
  ['catch2testrun', 'a Catch2 report'],
  ['doctest', "doctest's own report"],
  ['cunit_test_run_report', "CUnit's own report"],
  ['testexecutions', "SonarQube's generic test data"],
  ['coverage', 'a Cobertura or Clover coverage report'],
  ['checkstyle', 'a Checkstyle report'],
  ['plist', 'an Apple property list'],
])

/** Tools whose reports share JUnit's root element but nothing below it, by namespace. */
const KNOWN_NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://check.sourceforge.net/ns', "Check's own report"],
])

/** What tools can write instead, so that the message tells what to do next. */
const ADVICE = "Caseward reads JUnit XML: set your tool's reporter to JUnit, or convert the report."

/**
 * Tells whether a document is JUnit by its root element: `<testsuites>`, `<testsuite>`, or a lone `<testcase>`.
 *
 * @returns null when it is; otherwise a sentence that says what it looks like.
 */
export function describeOtherFormat(rootName: string, namespace?: string): string | null {
  const name = rootName.slice(rootName.indexOf(':') + 1)
  const byNamespace = namespace === undefined ? undefined : KNOWN_NAMESPACES.get(namespace)
  if (byNamespace !== undefined) return `This looks like ${byNamespace}, not JUnit XML. ${ADVICE}`
  if (name === 'testsuites' || name === 'testsuite' || name === 'testcase') return null
  const known = KNOWN_ROOTS.get(name.toLowerCase())
  if (known !== undefined) return `This looks like ${known}, not JUnit XML. ${ADVICE}`
  return `This is XML, but not JUnit: its root element is <${shortened(rootName)}>, not <testsuites> or <testsuite>. ${ADVICE}`
}

/** Says what a text that does not begin with `<` looks like, by its first visible character. */
export function describeNonXml(firstCharacter: string): string {
  const what = firstCharacter === '{' || firstCharacter === '[' ? 'This looks like JSON' : 'This is text'
  return `${what}, not XML: a JUnit report begins with "<". ${ADVICE}`
}

/** Says which archive a file is by its first bytes, or null. Archives are never unpacked here. */
export function describeArchive(start: Uint8Array): string | null {
  const [first, second] = start
  if (first === 0x1f && second === 0x8b) return 'This is gzip data, not XML: send it uncompressed.'
  if (first === 0x50 && second === 0x4b) return 'This is a ZIP archive, not XML: send the report that is in it.'
  return null
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}
