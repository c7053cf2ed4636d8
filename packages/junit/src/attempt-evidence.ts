import type { Mutable, OpenTestcase } from './open-testcase.ts'
import { addStep, parseStepProperty } from './named-steps.ts'
import {
  addFile,
  type FileProperty,
  isDefectProperty,
  isHttpAddress,
  MAX_FILES,
  nameLastFile,
  parseFileProperty,
  readPrintedFiles,
  toNamedFile,
  withSuiteFile,
} from './named-files.ts'
import type {
  AttemptDetail,
  AttemptEvidence,
  AttemptFile,
  NamedLink,
  SuiteContext,
  TestAttempt,
} from './test-attempt.ts'

/** One character more than a link can have: who stores links says that it is too long. */
const MAX_ADDRESS_LENGTH = 2049

type MutableEvidence = Mutable<AttemptEvidence>

/** Few tests name files, links or steps: the others have no lists. */
export function getEvidence(attempt: Mutable<TestAttempt>): MutableEvidence {
  const evidence = (attempt.evidence ?? { files: [], links: [], steps: [], fields: [] }) as MutableEvidence
  attempt.evidence = evidence
  return evidence
}

/** Returns what to do with the value of a property that names a file, a step or a link; null for any other. */
export function getEvidencePropertyEnd(
  attempt: Mutable<TestAttempt>,
  name: string,
  keepsContent: boolean,
): ((value: string) => void) | null {
  const file = parseFileProperty(name)
  if (file !== null) return (value) => addTestFile(attempt, file, value, keepsContent)
  const step = parseStepProperty(name)
  if (step !== null) return (value) => addStep(getEvidence(attempt).steps, step.status, value)
  const [, key] = FIELD_PROPERTY.exec(name) ?? []
  if (key !== undefined) return (value) => addField(attempt, key, value)
  return isDefectProperty(name) ? (value) => addLink(attempt, 'defect', value) : null
}

/** Adds a file that a property of a test names, or the address of one, which is a link. */
function addTestFile(
  attempt: Mutable<TestAttempt>,
  { field, scope }: FileProperty,
  value: string,
  keepsContent: boolean,
): void {
  const text = value.trim()
  if (scope === 'instance') return
  const evidence = getEvidence(attempt)
  if (field === 'name') {
    evidence.files = nameLastFileOfScope(evidence.files, scope, text)
    return
  }
  if (isHttpAddress(text)) return addLink(attempt, 'other', text)
  const file = toNamedFile(text, keepsContent)
  if (file !== null) addFile(evidence.files, { ...file, attempt: scope })
}

function nameLastFileOfScope(files: AttemptFile[], scope: AttemptFile['attempt'], name: string): AttemptFile[] {
  return files.at(-1)?.attempt === scope ? nameLastFile(files, name) : files
}

/** Adds a file that a property of a suite names. Its address alone is not a link of a result. */
export function addSuiteFile(
  context: Mutable<SuiteContext>,
  { field, scope }: FileProperty,
  value: string,
  keepsContent: boolean,
): void {
  if (scope !== 'instance' && scope !== 'own') return
  const text = value.trim()
  if (field === 'name') {
    context.files = nameLastFile(context.files, text)
    return
  }
  const file = isHttpAddress(text) ? null : toNamedFile(text, keepsContent)
  if (file !== null) context.files = withSuiteFile(context.files, file)
}

/** What is no address, or one too many, is named, too: it must not vanish without a word. */
function addLink(attempt: Mutable<TestAttempt>, kind: NamedLink['kind'], value: string): void {
  const url = value.trim().slice(0, MAX_ADDRESS_LENGTH)
  const { links } = getEvidence(attempt)
  // Repetitions often follow each other; all others are recognized when links are stored.
  if (url !== '' && links.at(-1)?.url !== url) links.push({ kind, url })
}

const FIELD_PROPERTY = /^field:(.{1,100})$/
/** More than a project can have, so that who stores them can say which are unknown. */
const MAX_NAMED_FIELDS = 300

function addField(attempt: Mutable<TestAttempt>, key: string, value: string): void {
  const { fields } = getEvidence(attempt)
  if (fields.length < MAX_NAMED_FIELDS) fields.push({ key, value })
}

/** The elements that are attempts of their own. */
const isOtherAttempt = ({ kind }: AttemptDetail): boolean => kind.startsWith('flaky') || kind.startsWith('rerun')

/** Adds the files that a text of a test names: its output, or the text of a failure or of an earlier attempt. */
export function addPrintedFiles(
  { testcase, detail }: { testcase: OpenTestcase | undefined; detail?: Mutable<AttemptDetail> },
  text: string,
): void {
  const files = readPrintedFiles(text)
  if (files.length === 0 || testcase === undefined) return
  if (detail !== undefined && isOtherAttempt(detail)) {
    const earlier = detail.files ?? []
    if (earlier.length < MAX_FILES) detail.files = [...earlier, ...files].slice(0, MAX_FILES)
  } else {
    for (const file of files) addFile(getEvidence(testcase.attempt).files, { ...file, attempt: 'own' })
  }
}
