import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { type Raw, readObject, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { readPractitestRuns } from './practitest-history.ts'
import { getAttributes, readClock } from './practitest-values.ts'

/** What the API of PractiTest has answered: tests, steps, sets, instances, runs and so on. */
export const practitestAnswers: AnswerFormat = {
  system: 'practitest',
  async *read(answers, context) {
    const people = new Map<string, string>()
    for await (const { item } of answers.read('users')) {
      const [key, { email: address, 'display-name': shown }] = [toText(item['id']), getAttributes(item)]
      const [email, name] = [toText(address), toText(shown)]
      people.set(key, email || name)
      yield { kind: 'person', key, name: name || email || key, ...(email !== '' && { email }) }
    }
    const findPerson = (id: unknown) => people.get(toText(id)) ?? (toText(id) === '' ? '' : `User ${toText(id)}`)
    yield* readCases(answers, findPerson, context)
    yield* readPractitestRuns(answers, findPerson, context)
  },
}

async function* readCases(
  answers: Answers,
  findPerson: (id: unknown) => string,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  // People know tests by another id than that by which they are referred to.
  const keys = await answers.names('tests', (test) => toText(getAttributes(test)['display-id']))
  const fieldNames = await answers.names('custom_fields', (field) => toText(getAttributes(field)['name']))
  const steps = new Map<string, Raw[]>()
  for await (const { item } of answers.read('steps')) {
    const attributes = getAttributes(item)
    const test = toText(attributes['test-id'])
    steps.set(test, [...(steps.get(test) ?? []), attributes])
  }
  const listSteps = (test: string) =>
    (steps.get(test) ?? []).toSorted((one, other) => toNumber(one['position']) - toNumber(other['position']))
  const addCalled = (step: Raw): readonly StepRecord[] => {
    const called = toText(step['test-to-call-id'])
    if (called === '') return [toStep(step)]
    const shared = keys.get(called) ?? called
    const own = listSteps(called).filter((each) => toText(each['test-to-call-id']) === '')
    return own.length > 0 ? own.map((each) => ({ ...toStep(each), shared })) : [{ action: '', expected: '', shared }]
  }
  for await (const { item } of answers.read('tests')) {
    const test = getAttributes(item)
    const key = toText(test['display-id']) || toText(item['id'])
    const scenario = toText(test['scenario'])
    if (toText(test['folder-id']) !== '') losses.add('not_imported:folders', { key })
    yield createCase({
      key,
      title: toText(test['name']),
      position: toNumber(key),
      markup: 'html',
      precondition: toText(test['preconditions']),
      descriptions: [{ heading: 'Description', text: toText(test['description']) }],
      ...(scenario === ''
        ? { steps: listSteps(toText(item['id'])).flatMap(addCalled) }
        : { template: 'gherkin' as const, step_text: { rule: 'gherkin' as const, action: scenario, expected: '' } }),
      priority: toText(test['priority']),
      state: toText(test['status']),
      tags: readStrings(test, 'tags'),
      estimate: readClock(test['duration-estimate']),
      owner: test['assigned-to-type'] === 'user' ? findPerson(test['assigned-to-id']) : '',
      fields: readFields(test, fieldNames),
      created_by: findPerson(test['author-id']),
      created_at: toText(test['created-at']),
      updated_at: toText(test['updated-at']),
    })
  }
}

/** A step has a name, and what it says below. */
function toStep(step: Raw): StepRecord {
  const [name, text] = [toText(step['name']), toText(step['description'])]
  const action = [name === '' || name === text ? '' : text === '' ? name : `**${name}**`, text]
  return {
    action: action.filter((part) => part !== '').join('\n\n'),
    expected: toText(step['expected-results']),
  }
}

function readFields(test: Raw, names: ReadonlyMap<string, string>): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, field] of [
    ['Type', 'test-type'],
    ['Version', 'version'],
  ] as const) {
    if (toText(test[field]) !== '') values[name] = toText(test[field])
  }
  for (const [id, value] of Object.entries(readObject(test, 'custom-fields'))) {
    const text = Array.isArray(value) ? value.map(toText).join(', ') : toText(value)
    // Fields are called `---f-8282`.
    const number = id.replace(/^\D+/, '')
    if (text !== '') values[names.get(number) || `Field ${number}`] = text
  }
  return values
}
