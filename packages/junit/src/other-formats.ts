/** Root elements of other formats that users upload by mistake: lower case, without a prefix. */
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

/** Namespaces of formats that share only the root element with JUnit. */
const KNOWN_NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://check.sourceforge.net/ns', "Check's own report"],
])

const ADVICE = "Caseward reads JUnit XML: set your tool's reporter to JUnit, or convert the report."

/**
 * Checks whether a root element is JUnit's: `<testsuites>`, `<testsuite>`, or a single `<testcase>`.
 *
 * @returns null if it is, otherwise a message that names the format
 */
export function describeOtherFormat(rootName: string, namespace?: string): string | null {
  const name = rootName.slice(rootName.indexOf(':') + 1)
  const byNamespace = namespace === undefined ? undefined : KNOWN_NAMESPACES.get(namespace)
  if (byNamespace !== undefined) return `This looks like ${byNamespace}, not JUnit XML. ${ADVICE}`
  if (name === 'testsuites' || name === 'testsuite' || name === 'testcase') return null
  const byRoot = KNOWN_ROOTS.get(name.toLowerCase())
  if (byRoot !== undefined) return `This looks like ${byRoot}, not JUnit XML. ${ADVICE}`
  return `This is XML, but not JUnit: its root element is <${shorten(rootName)}>, not <testsuites> or <testsuite>. ${ADVICE}`
}

/** Returns a message for a text that does not start with `<`. */
export function describeNonXml(firstCharacter: string): string {
  const format = firstCharacter === '{' || firstCharacter === '[' ? 'This looks like JSON' : 'This is text'
  return `${format}, not XML: a JUnit report starts with "<". ${ADVICE}`
}

/** Returns a message if a file starts like an archive, otherwise null. Archives are never unpacked. */
export function describeArchive(start: Uint8Array): string | null {
  const [first, second] = start
  if (first === 0x1f && second === 0x8b) return 'This is gzip data, not XML: send it uncompressed.'
  if (first === 0x50 && second === 0x4b) return 'This is a ZIP archive, not XML: send the report that it contains.'
  return null
}

function shorten(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}
