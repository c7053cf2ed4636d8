import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { type Raw, readObjects } from '../caseward/read-values.ts'
import { splitList } from '../folders.ts'
import { readQtestRuns } from './qtest-history.ts'

/** Properties that have a place of their own. */
const OWN_PROPERTIES = new Set(['Priority', 'Type', 'Status', 'Assigned To', 'Description', 'Precondition'])

/** What the API of qTest has answered: modules, test cases, test runs, test logs and so on. */
export const qtestAnswers: AnswerFormat = {
  system: 'qtest',
  async *read(answers, context) {
    const people = new Map<string, string>()
    for await (const { item } of answers.read('users')) {
      const [key, email] = [toText(item['id']), toText(item['email']) || toText(item['username'])]
      const name = [toText(item['first_name']), toText(item['last_name'])].join(' ').trim() || email
      people.set(key, email || name)
      yield { kind: 'person', key, name: name || key, ...(email.includes('@') && { email }) }
    }
    const findPerson = (id: unknown) => people.get(toText(id)) ?? (toText(id) === '' ? '' : `User ${toText(id)}`)
    const folders = yield* readModules(answers)
    yield* readCases(answers, folders, findPerson)
    yield* readQtestRuns(answers, findPerson, context)
  },
}

/** Modules contain those below. */
async function* readModules(answers: Answers): AsyncGenerator<ImportRecord, ReadonlySet<string>> {
  const keys = new Set<string>()
  const open: { module: Raw; parent: string | null }[] = []
  for await (const { item } of answers.read('modules')) open.push({ module: item, parent: null })
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { module, parent } = next
    const [key, description] = [toText(module['id']), toText(module['description'])]
    for (const child of readObjects(module, 'children')) open.push({ module: child, parent: key })
    if (keys.has(key)) continue
    keys.add(key)
    yield {
      kind: 'folder',
      key,
      name: toText(module['name']) || 'Untitled',
      parent,
      position: toNumber(module['order']),
      ...(description !== '' && { description }),
    }
  }
  return keys
}

/** Values of properties by the names of their fields. */
async function createPropertyReader(answers: Answers): Promise<(item: Raw) => Map<string, string>> {
  const labels = new Map<string, string>()
  const options = new Map<string, string>()
  for await (const { item } of answers.read('fields')) {
    const id = toText(item['id'])
    labels.set(id, toText(item['label']))
    for (const value of readObjects(item, 'allowed_values')) {
      options.set(`${id} ${toText(value['value'])}`, toText(value['label']))
    }
  }
  return (item) => {
    const values = new Map<string, string>()
    for (const property of readObjects(item, 'properties')) {
      const [id, value] = [toText(property['field_id']), toText(property['field_value'])]
      const name = toText(property['field_name']) || labels.get(id) || `Field ${id}`
      const text = toText(property['field_value_name']) || (options.get(`${id} ${value}`) ?? value)
      // Several values are in brackets.
      if (text !== '' && text !== '[]') values.set(name, text.replace(/^\[(.*)\]$/s, '$1'))
    }
    return values
  }
}

async function* readCases(
  answers: Answers,
  folders: ReadonlySet<string>,
  findPerson: (id: unknown) => string,
): AsyncGenerator<ImportRecord> {
  const called = new Map<string, { key: string; steps: readonly Raw[] } | null>()
  for await (const { item } of answers.read('cases')) {
    for (const step of readObjects(item, 'test_steps')) {
      const id = toText(step['called_test_case_id'])
      if (id !== '') called.set(id, null)
    }
  }
  for await (const { item } of answers.read('cases')) {
    const id = toText(item['id'])
    if (called.has(id)) called.set(id, { key: getKey(item), steps: listSteps(item) })
  }
  const addCalled = (step: Raw): readonly StepRecord[] => {
    const id = toText(step['called_test_case_id'])
    if (id === '') return [toStep(step)]
    const found = called.get(id)
    const shared = found?.key ?? id
    const own = (found?.steps ?? []).filter((each) => toText(each['called_test_case_id']) === '')
    return own.length > 0 ? own.map((each) => ({ ...toStep(each), shared })) : [{ ...toStep(step), shared }]
  }
  const readProperties = await createPropertyReader(answers)
  for await (const { item } of answers.read('cases')) {
    const properties = readProperties(item)
    const folder = toText(item['parent_id'])
    const get = (name: string) => properties.get(name) ?? ''
    yield createCase({
      key: getKey(item),
      title: toText(item['name']),
      folder: folders.has(folder) ? folder : null,
      position: toNumber(item['order']),
      markup: 'html',
      precondition: toText(item['precondition']),
      descriptions: [{ heading: 'Description', text: toText(item['description']) }],
      steps: listSteps(item).flatMap(addCalled),
      priority: get('Priority'),
      type: get('Type'),
      state: get('Status'),
      tags: splitList(toText(item['tags'])),
      owner: get('Assigned To'),
      fields: {
        ...(toText(item['automation_content']) !== '' && { 'Automation content': toText(item['automation_content']) }),
        ...Object.fromEntries([...properties].filter(([name]) => !OWN_PROPERTIES.has(name))),
      },
      created_by: findPerson(item['creator_id']),
      created_at: toText(item['created_date']),
      updated_at: toText(item['last_modified_date']),
    })
  }
}

/** People know test cases as `TC-1`. */
const getKey = (item: Raw): string => toText(item['pid']) || toText(item['id'])

const listSteps = (item: Raw): Raw[] =>
  readObjects(item, 'test_steps').toSorted((one, other) => toNumber(one['order']) - toNumber(other['order']))

const toStep = (step: Raw): StepRecord => ({
  action: toText(step['description']),
  expected: toText(step['expected']),
})
