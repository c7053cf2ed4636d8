import { createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { isRaw, type Raw, readObject, readObjects, readString } from '../caseward/read-values.ts'
import { readQaseHistory } from './qase-history.ts'
import { orEmpty, toDataSet } from './qase-values.ts'

/** Fields of Qase itself, whose values are numbers of options. */
const SYSTEM_FIELDS = ['severity', 'layer', 'behavior', 'automation'] as const

/** What the API of Qase has answered: suite, case, run, result and so on. */
export const qaseAnswers: AnswerFormat = {
  system: 'qase',
  async *read(answers, context) {
    const people = new Map<string, string>()
    for await (const { item } of answers.read('authors')) {
      const [name, email] = [toText(item['name']), toText(item['email'])]
      for (const id of [toText(item['id']), toText(item['author_id'])]) if (id !== '') people.set(id, email || name)
      yield { kind: 'person', key: toText(item['id']), name, ...(email !== '' && { email }) }
    }
    yield* readSuites(answers)
    yield* readCases(answers, people)
    yield* readQaseHistory(answers, people, context)
  },
}

async function* readSuites(answers: Answers): AsyncGenerator<ImportRecord> {
  const suites = await answers.list('suites')
  const ids = new Set(suites.map((suite) => toText(suite['id'])))
  for (const suite of suites) {
    const parent = toText(suite['parent_id'])
    const description = [toText(suite['description']), toText(suite['preconditions'])].filter((text) => text !== '')
    yield {
      kind: 'folder',
      key: toText(suite['id']),
      name: toText(suite['title']) || `Suite ${toText(suite['id'])}`,
      parent: ids.has(parent) ? parent : null,
      position: toNumber(suite['position']),
      ...(description.length > 0 && { description: description.join('\n\n') }),
    }
  }
}

/** Words of the options of system fields, by field and number. */
async function readOptions(answers: Answers): Promise<(field: string, value: unknown) => string> {
  const options = new Map<string, string>()
  for await (const { item } of answers.read('system_fields')) {
    const field = readString(item, 'slug') || readString(item, 'title').toLowerCase()
    for (const option of readObjects(item, 'options')) {
      options.set(`${field} ${toText(option['id'])}`, readString(option, 'slug') || readString(option, 'title'))
    }
  }
  // Words are the same as in the files of Qase, so that these and answers make the same values.
  return (field, value) => orEmpty(options.get(`${field} ${toText(value)}`) ?? (value === 0 ? '' : toText(value)))
}

type ReadCustomFields = (testCase: Raw) => Record<string, string>

async function createCustomReader(answers: Answers): Promise<ReadCustomFields> {
  const fields = new Map<string, { title: string; options: ReadonlyMap<string, string> }>()
  for await (const { item } of answers.read('custom_fields')) {
    fields.set(toText(item['id']), {
      title: readString(item, 'title'),
      options: parseOptions(readString(item, 'value')),
    })
  }
  return (testCase) => {
    const values: Record<string, string> = {}
    for (const { id, value } of readObjects(testCase, 'custom_fields')) {
      const field = fields.get(toText(id))
      const title = field?.title || `Field ${toText(id)}`
      const ids = toText(value).split(',')
      // Several options are one text.
      const labels = ids.map((part) => field?.options.get(part.trim()))
      values[title] = labels.every((label) => label !== undefined) ? labels.join(', ') : toText(value)
    }
    return values
  }
}

/** Options are JSON in a text. */
function parseOptions(text: string): Map<string, string> {
  try {
    const json: unknown = JSON.parse(text)
    const options = Array.isArray(json) ? json.filter(isRaw) : []
    return new Map(options.map((option) => [toText(option['id']), toText(option['title'])]))
  } catch {
    return new Map()
  }
}

async function* readCases(answers: Answers, people: ReadonlyMap<string, string>): AsyncGenerator<ImportRecord> {
  const shared = new Map<string, readonly StepRecord[]>()
  for await (const { item } of answers.read('shared_steps')) {
    const steps = readObjects(item, 'steps').flatMap((step) => readStep(step, ''))
    const key = toText(item['hash'])
    shared.set(key, steps)
    yield { kind: 'shared_steps', key, title: toText(item['title']), markup: 'markdown', steps }
  }
  const readOption = await readOptions(answers)
  const readCustom = await createCustomReader(answers)
  const milestones = await answers.names('milestones', (milestone) => toText(milestone['title']))
  for await (const { item } of answers.read('cases')) {
    const person = people.get(toText(item['member_id'])) ?? ''
    const milestone = milestones.get(toText(item['milestone_id'])) ?? ''
    const folder = toText(item['suite_id'])
    const isGherkin = item['steps_type'] === 'gherkin'
    const rows = readObjects(item, 'steps')
    const own = SYSTEM_FIELDS.map((name) => [name, readOption(name, item[name])] as const)
    yield createCase({
      key: toText(item['id']),
      title: toText(item['title']),
      folder: folder === '' ? null : folder,
      position: toNumber(item['position']),
      template: isGherkin ? 'gherkin' : 'steps',
      precondition: toText(item['preconditions']),
      descriptions: [{ heading: 'Description', text: toText(item['description']) }],
      postcondition: toText(item['postconditions']),
      steps: isGherkin ? [] : rows.flatMap((step) => addShared(step, shared)),
      step_text: isGherkin
        ? { rule: 'gherkin', action: rows.map((step) => toText(step['action'])).join('\n'), expected: '' }
        : null,
      priority: readOption('priority', item['priority']),
      type: readOption('type', item['type']),
      state: readOption('status', item['status']),
      tags: readObjects(item, 'tags').map((tag) => toText(tag['title'])),
      fields: Object.fromEntries(
        [
          ...own,
          ['is_flaky', item['is_flaky'] === 1 || item['is_flaky'] === true ? 'Yes' : ''] as const,
          ['is_muted', item['is_muted'] === 1 || item['is_muted'] === true ? 'Yes' : ''] as const,
          ['milestone', milestone] as const,
          ...Object.entries(readCustom(item)),
        ].filter(([, value]) => value !== ''),
      ),
      links: listLinks(item),
      data_set: readParameters(readObject(item, 'params')),
      created_by: person,
      created_at: toText(item['created_at']),
      updated_at: toText(item['updated_at']),
    })
  }
}

/** Addresses that people have added, and issues of trackers. */
const listLinks = (item: Raw): LinkRecord[] =>
  [
    ...readObjects(item, 'links').map((link) => ({ target: toText(link['url']), label: toText(link['title']) })),
    ...readObjects(item, 'external_issues')
      .flatMap((tracker) => readObjects(tracker, 'issues'))
      .map((issue) => ({ target: toText(issue['link']) || toText(issue['id']), label: toText(issue['id']) })),
  ]
    .filter(({ target }) => target !== '')
    .map((link): LinkRecord => ({ ...link, kind: 'requirement' }))

function addShared(step: Raw, shared: ReadonlyMap<string, readonly StepRecord[]>): readonly StepRecord[] {
  const key = toText(step['shared_step_hash'])
  const found = shared.get(key) ?? []
  return found.length > 0 ? found.map((each) => ({ ...each, shared: key })) : readStep(step, '')
}

/** Steps below a step follow it, with their number before the action. */
function readStep(step: Raw, number: string): StepRecord[] {
  const action = toText(step['action'])
  const shared = toText(step['shared_step_hash'])
  const inner = readObjects(step, 'steps')
  return [
    {
      action: number === '' ? action : `${number} ${action}`,
      data: toText(step['data']),
      expected: toText(step['expected_result']),
      ...(shared !== '' && { shared }),
    },
    ...inner.flatMap((each, index) =>
      readStep(each, number === '' ? `${toText(step['position']) || '1'}.${index + 1}` : `${number}.${index + 1}`),
    ),
  ]
}

function readParameters(params: Raw) {
  const values = Object.entries(params).map(
    ([name, list]) => [name, Array.isArray(list) ? list.map(toText) : [toText(list)]] as const,
  )
  return toDataSet(new Map(values))
}
