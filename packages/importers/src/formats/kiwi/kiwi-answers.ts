import { createCase, type ImportRecord, type LinkRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import type { Raw } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { readKiwiRuns, readKiwiTime } from './kiwi-history.ts'
import { splitKiwiText } from './kiwi-text.ts'

/** What the API of Kiwi TCMS has answered: TestPlan.filter, TestCase.filter, TestExecution.filter and so on. */
export const kiwiAnswers: AnswerFormat = {
  system: 'kiwi',
  async *read(answers, context) {
    const people = new Map<string, string>()
    for await (const { item } of answers.read('users')) {
      const [key, email] = [toText(item['username']), toText(item['email'])]
      const name = [toText(item['first_name']), toText(item['last_name'])].join(' ').trim() || key
      people.set(key, email || name)
      yield { kind: 'person', key, name, ...(email !== '' && { email }) }
    }
    const findPerson = (item: Raw, name: string) => people.get(toText(item[name])) ?? toText(item[name])
    yield* readCases(answers, { folders: yield* readFolders(answers, context), findPerson }, context)
    yield* readKiwiRuns(answers, findPerson)
  },
}

/** Finds the folder of a test case, and its place there. */
type FindFolder = (testCase: Raw) => { folder: string | null; position: number }

/** Folders are the tree of plans; without test cases in plans, the categories if there are several. */
async function* readFolders(answers: Answers, { losses }: ReadContext): AsyncGenerator<ImportRecord, FindFolder> {
  const places = new Map<string, { folder: string; position: number }>()
  for await (const { of, item } of answers.read('plan_cases')) {
    const key = toText(item['id'])
    if (places.has(key)) losses.add('case_in_several_suites', { key })
    else places.set(key, { folder: `plan-${of}`, position: toNumber(item['sortkey']) })
  }
  if (places.size > 0) {
    const plans = await answers.list('plans')
    const ids = new Set(plans.map((plan) => toText(plan['id'])))
    for (const [position, plan] of plans.entries()) {
      const [parent, description] = [toText(plan['parent']), toText(plan['text'])]
      yield {
        kind: 'folder',
        key: `plan-${toText(plan['id'])}`,
        name: toText(plan['name']) || 'Untitled',
        parent: ids.has(parent) ? `plan-${parent}` : null,
        position,
        ...(description !== '' && { description }),
      }
    }
    return (testCase) => places.get(toText(testCase['id'])) ?? { folder: null, position: toNumber(testCase['id']) }
  }
  for await (const { item } of answers.read('plans')) {
    yield { kind: 'plan', key: toText(item['id']), name: toText(item['name']), cases: [] }
  }
  const categories = await answers.names('categories')
  if (categories.size > 1) {
    let position = 0
    for (const [key, name] of categories) {
      yield { kind: 'folder', key: `category-${key}`, name, parent: null, position: (position += 1) }
    }
  }
  return (testCase) => ({
    folder: categories.size > 1 ? `category-${toText(testCase['category'])}` : null,
    position: toNumber(testCase['id']),
  })
}

/** Names by test case, of lists that have a row a use. */
async function readNames(answers: Answers, list: string): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for await (const { item } of answers.read(list)) {
    const key = toText(item['case'])
    names.set(key, [...(names.get(key) ?? []), toText(item['name'])])
  }
  return names
}

async function* readCases(
  answers: Answers,
  { folders, findPerson }: { folders: FindFolder; findPerson: (item: Raw, name: string) => string },
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const [tags, components] = [await readNames(answers, 'tags'), await readNames(answers, 'components')]
  const properties = new Map<string, Map<string, string>>()
  for await (const { item } of answers.read('properties')) {
    const [key, name, value] = [toText(item['case']), toText(item['name']), toText(item['value'])]
    const fields = properties.get(key) ?? new Map<string, string>()
    properties.set(key, fields)
    // A property can have several values.
    fields.set(name, [fields.get(name) ?? '', value].filter((text) => text !== '').join(', '))
  }
  const hasCategories = (await answers.names('categories')).size > 1
  for await (const { of } of answers.read('comments')) losses.add('not_imported:comments', { key: of })
  for await (const { item } of answers.read('cases')) {
    const key = toText(item['id'])
    const isAutomated = item['is_automated'] === true
    const { descriptions, ...texts } = splitKiwiText(toText(item['text']))
    const seconds = toText(item['expected_duration']) || toText(item['testing_duration'])
    yield createCase({
      key,
      title: toText(item['summary']),
      ...folders(item),
      ...texts,
      descriptions: [...descriptions, { heading: 'Notes', text: toText(item['notes']) }],
      priority: toText(item['priority__value']),
      state: toText(item['case_status__name']),
      tags: tags.get(key) ?? [],
      written_estimate: { text: seconds, unitSeconds: 1 },
      owner: findPerson(item, 'default_tester__username'),
      automation_keys: isAutomated ? [toText(item['summary'])] : [],
      fields: Object.fromEntries(
        [
          ...(properties.get(key) ?? []),
          ['Category', hasCategories ? toText(item['category__name']) : ''] as const,
          ['Components', (components.get(key) ?? []).join(', ')] as const,
          ['Script', toText(item['script'])] as const,
          ['Arguments', toText(item['arguments'])] as const,
          ['Reviewer', findPerson(item, 'reviewer__username')] as const,
          ['Automation', isAutomated ? 'Automated' : ''] as const,
        ].filter(([, value]) => value !== ''),
      ),
      links: listLinks(item),
      created_by: findPerson(item, 'author__username'),
      created_at: readKiwiTime(answers, item['create_date']),
    })
  }
}

const listLinks = (item: Raw): LinkRecord[] =>
  [
    { target: toText(item['requirement']), kind: 'requirement' as const },
    { target: toText(item['extra_link']), kind: 'other' as const },
  ].filter(({ target }) => target !== '')
