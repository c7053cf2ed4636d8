import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { type Raw, readObjects, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { createTestmoFields, type ReadTestmoFields } from './testmo-fields.ts'
import { readTestmoRuns } from './testmo-runs.ts'

/** Fields that have a place of their own. */
const OWN_FIELDS = new Set(['custom_preconditions', 'custom_description', 'custom_expected', 'custom_steps'])
const MICROSECONDS = 1_000_000

/** What the API of Testmo has answered: folders, cases, runs, results and so on. */
export const testmoAnswers: AnswerFormat = {
  system: 'testmo',
  async *read(answers, context) {
    const people = new Map<string, string>()
    for await (const { item } of answers.read('users')) {
      const [key, name, email] = [toText(item['id']), toText(item['name']), toText(item['email'])]
      people.set(key, email || name)
      yield { kind: 'person', key, name, ...(email !== '' && { email }) }
    }
    const findPerson = (item: Raw, name: string) => people.get(toText(item[name])) ?? toText(item[`${name}_name`])
    const folders = yield* readFolders(answers)
    const states = await answers.names('states')
    const findState = (item: Raw) => states.get(toText(item['state_id'])) ?? ''
    yield* readCases(
      answers,
      { folders, findPerson, findState, readFields: await createTestmoFields(answers) },
      context,
    )
    yield* readTestmoRuns(answers, findPerson, context)
  },
}

async function* readFolders(answers: Answers): AsyncGenerator<ImportRecord, ReadonlySet<string>> {
  const folders = await answers.list('folders')
  const ids = new Set(folders.map((folder) => toText(folder['id'])))
  for (const folder of folders) {
    const [parent, description] = [toText(folder['parent_id']), toText(folder['docs'])]
    yield {
      kind: 'folder',
      key: toText(folder['id']),
      name: toText(folder['name']) || 'Untitled',
      parent: ids.has(parent) ? parent : null,
      position: toNumber(folder['display_order']),
      ...(description !== '' && { description }),
    }
  }
  return ids
}

interface Known {
  readonly folders: ReadonlySet<string>
  readonly findPerson: (item: Raw, name: string) => string
  readonly findState: (item: Raw) => string
  readonly readFields: ReadTestmoFields
}

async function* readCases(
  answers: Answers,
  { folders, findPerson, findState, readFields }: Known,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  let position = 0
  for await (const { item } of answers.read('cases')) {
    const key = toText(item['id'])
    const folder = toText(item['folder_id'])
    const { Priority: priority = '', Type: type = '', ...fields } = readFields(item, OWN_FIELDS)
    const isGherkin =
      /bdd|gherkin/i.test(toText(item['template_id_name'])) && readObjects(item, 'custom_steps').length === 0
    const scenario = isGherkin ? toText(item['custom_feature']) : ''
    if (toText(item['forecast']) !== '') losses.add('not_imported:forecasts', { key })
    position += 1
    yield createCase({
      key,
      title: toText(item['name']),
      folder: folders.has(folder) ? folder : null,
      position,
      markup: 'html',
      precondition: toText(item['custom_preconditions']),
      descriptions: [{ heading: 'Description', text: toText(item['custom_description']) }],
      steps: readSteps(item),
      step_text: scenario === '' ? null : { rule: 'whole', action: scenario, expected: '' },
      expected_result: toText(item['custom_expected']),
      priority,
      type,
      state: findState(item),
      tags: [...readStrings(item, 'tags'), ...readStrings(item, 'tags_name')],
      estimate: readEstimate(item['estimate']),
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => scenario === '' || name !== 'Feature')),
      links: readStrings(item, 'issues_name').map((target) => ({ target, kind: 'requirement' as const })),
      created_by: findPerson(item, 'created_by'),
      created_at: toText(item['created_at']),
      updated_by: findPerson(item, 'updated_by'),
      updated_at: toText(item['updated_at']),
    })
  }
}

/** The texts of a step are its action, the data of it, the expected result, and the data of that. */
const readSteps = (item: Raw): StepRecord[] =>
  readObjects(item, 'custom_steps')
    .toSorted((one, other) => toNumber(one['display_order']) - toNumber(other['display_order']))
    .map((step) => ({
      action: toText(step['text1']),
      data: toText(step['text2']),
      expected: [toText(step['text3']), toText(step['text4'])].filter((text) => text !== '').join('\n\n'),
    }))

/** Nobody plans eleven days for a test case: such numbers are microseconds, as those of results. */
function readEstimate(value: unknown): number | null {
  const estimate = toNumber(value)
  return Math.round(estimate >= MICROSECONDS ? estimate / MICROSECONDS : estimate) || null
}
