import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText } from '../answers.ts'
import { isRaw, type Raw, readList, readObject, readObjects, readString, readStrings } from '../caseward/read-values.ts'
import { Folders, splitFolderPath } from '../folders.ts'
import { readDescription } from '../jira-description.ts'
import { readXrayRuns } from './xray-history.ts'

/** What the API of Xray Cloud has answered: getTests, getTestExecutions and so on. */
export const xrayAnswers: AnswerFormat = {
  system: 'xray',
  async *read(answers, context) {
    const known = await readKnown(answers)
    const folders = new Folders()
    for await (const { item } of answers.read('tests')) yield* readCase(item, known, folders)
    yield* readSets(answers, known)
    yield* readXrayRuns(answers, context)
  },
}

/** What tests refer to. */
interface Known {
  /** Keys of tests, by the id of their issue. */
  readonly keys: ReadonlyMap<string, string>
  /** Steps of tests that others call, by the same. */
  readonly called: ReadonlyMap<string, readonly StepRecord[]>
  /** Preconditions that a test has too many of to have all of them at hand. */
  readonly preconditions: ReadonlyMap<string, readonly Raw[]>
}

const getKey = (item: Raw): string => readString(readObject(item, 'jira'), 'key') || toText(item['issueId'])

async function readKnown(answers: Answers): Promise<Known> {
  const keys = new Map<string, string>()
  const wanted = new Set<string>()
  for await (const { item } of answers.read('tests')) {
    keys.set(toText(item['issueId']), getKey(item))
    for (const step of readObjects(item, 'steps')) {
      const called = toText(step['callTestIssueId'])
      if (called !== '') wanted.add(called)
    }
  }
  const called = new Map<string, readonly StepRecord[]>()
  for await (const { item } of answers.read('tests')) {
    const id = toText(item['issueId'])
    if (wanted.has(id)) called.set(id, readObjects(item, 'steps').map(toStep))
  }
  const preconditions = new Map<string, Raw[]>()
  for await (const { of, item } of answers.read('preconditions')) {
    preconditions.set(of, [...(preconditions.get(of) ?? []), item])
  }
  return { keys, called, preconditions }
}

function* readCase(item: Raw, known: Known, folders: Folders): Generator<ImportRecord> {
  const jira = readObject(item, 'jira')
  const { key: folder, records } = folders.add(splitFolderPath(readString(readObject(item, 'folder'), 'path'), '/'))
  yield* records
  const id = toText(item['issueId'])
  const key = getKey(item)
  const [gherkin, definition] = [readString(item, 'gherkin'), readString(item, 'unstructured')]
  const preconditions = known.preconditions.get(id) ?? readObjects(readObject(item, 'preconditions'), 'results')
  const type = readObject(item, 'testType')
  const isGherkin = gherkin !== '' && readString(type, 'kind') !== 'Steps'
  const names = (name: string) =>
    readList(jira, name)
      .map((value) => (isRaw(value) ? readString(value, 'name') : toText(value)))
      .filter((text) => text !== '')
  const name = (field: string) => {
    const value = jira[field]
    return isRaw(value) ? readString(value, 'name') || readString(value, 'displayName') : toText(value)
  }
  yield createCase({
    key,
    title: readString(jira, 'summary') || `Test ${key}`,
    folder,
    position: folders.next(folder),
    markup: 'jira',
    precondition: preconditions.map((each) => readString(each, 'definition') || getKey(each)).join('\n\n'),
    descriptions: [{ heading: 'Description', text: readDescription(jira['description']) }],
    ...(isGherkin
      ? { template: 'gherkin' as const, step_text: { rule: 'gherkin' as const, action: gherkin, expected: '' } }
      : { steps: readObjects(item, 'steps').flatMap((step) => addCalled(step, known)) }),
    priority: name('priority'),
    type: readString(type, 'name'),
    state: name('status'),
    tags: readStrings(jira, 'labels'),
    owner: name('assignee'),
    automation_keys: definition === '' ? [] : [definition],
    fields: Object.fromEntries(
      [
        ['Components', names('components').join(', ')] as const,
        ['Fix versions', names('fixVersions').join(', ')] as const,
      ].filter(([, value]) => value !== ''),
    ),
    created_at: toText(jira['created']),
  })
}

const toStep = (step: Raw): StepRecord => ({
  action: toText(step['action']),
  data: toText(step['data']),
  expected: toText(step['result']),
  notes: readObjects(step, 'customFields')
    .map((field) => toText(field['value']))
    .filter((note) => note !== ''),
})

/** A step that calls another test becomes the steps of that. */
function addCalled(step: Raw, { keys, called }: Known): readonly StepRecord[] {
  const id = toText(step['callTestIssueId'])
  if (id === '') return [toStep(step)]
  const shared = keys.get(id) ?? id
  const steps = called.get(id) ?? []
  return steps.length === 0 ? [{ action: '', expected: '', shared }] : steps.map((each) => ({ ...each, shared }))
}

/** Test sets, as the CSV files have them, and test plans. */
async function* readSets(answers: Answers, { keys }: Known): AsyncGenerator<ImportRecord> {
  for (const list of ['test_sets', 'test_plans']) {
    const cases = new Map<string, string[]>()
    for await (const { of, item } of answers.read(`tests_of_${list}`)) {
      const key = keys.get(toText(item['issueId']))
      if (key !== undefined) cases.set(of, [...(cases.get(of) ?? []), key])
    }
    for await (const { item } of answers.read(list)) {
      const name = readString(readObject(item, 'jira'), 'summary')
      yield { kind: 'plan', key: getKey(item), name, cases: cases.get(toText(item['issueId'])) ?? [] }
    }
  }
}
