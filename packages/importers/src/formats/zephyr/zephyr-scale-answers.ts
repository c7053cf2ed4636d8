import { type CaseRecord, createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { isRaw, type Raw, readObject, readObjects, readString, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { readZephyrRuns } from './zephyr-scale-history.ts'

/** What the API of Zephyr Scale Cloud has answered: folders, testcases, testexecutions and so on. */
export const zephyrScaleAnswers: AnswerFormat = {
  system: 'zephyr-scale',
  async *read(answers, context) {
    // The API does not tell whether there are any.
    context.losses.add('not_imported:attachments', { place: 'not in the API' })
    const folders = yield* readFolders(answers)
    yield* readCases(answers, folders, context)
    yield* readZephyrRuns(answers)
  },
}

async function* readFolders(answers: Answers): AsyncGenerator<ImportRecord, ReadonlySet<string>> {
  const folders = await answers.list('folders')
  const ids = new Set(folders.map((folder) => toText(folder['id'])))
  for (const folder of folders) {
    const parent = toText(folder['parentId'])
    yield {
      kind: 'folder',
      key: toText(folder['id']),
      name: toText(folder['name']) || 'Untitled',
      parent: ids.has(parent) ? parent : null,
      position: toNumber(folder['index']),
    }
  }
  return ids
}

/** Steps and texts of a test case, which are lists of their own. */
interface Scripts {
  readonly steps: ReadonlyMap<string, readonly Raw[]>
  readonly texts: ReadonlyMap<string, Raw>
}

async function* readCases(
  answers: Answers,
  folders: ReadonlySet<string>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const priorities = await answers.names('priorities')
  const statuses = await answers.names('statuses')
  const scripts = await readScripts(answers)
  let position = 0
  for await (const { item } of answers.read('testcases')) {
    const key = toText(item['key'])
    const folder = toText(readObject(item, 'folder')['id'])
    const idOf = (name: string) => toText(readObject(item, name)['id'])
    const links = readObject(item, 'links')
    position += 1
    if (idOf('component') !== '') losses.add('not_imported:components', { key })
    yield createCase({
      key,
      title: toText(item['name']),
      folder: folders.has(folder) ? folder : null,
      position,
      markup: 'html',
      precondition: toText(item['precondition']),
      descriptions: [{ heading: 'Objective', text: toText(item['objective']) }],
      ...readScript(key, scripts),
      priority: priorities.get(idOf('priority')) ?? '',
      state: statuses.get(idOf('status')) ?? '',
      tags: readStrings(item, 'labels'),
      // Milliseconds.
      written_estimate: { text: toText(item['estimatedTime']), unitSeconds: 1 / 1000 },
      owner: toText(readObject(item, 'owner')['accountId']),
      fields: readCustomFields(item),
      links: [
        ...readObjects(links, 'issues').map((link): LinkRecord => ({
          target: toText(link['target']) || toText(link['issueId']),
          kind: 'requirement',
        })),
        ...readObjects(links, 'webLinks').map((link): LinkRecord => ({
          target: toText(link['url']),
          kind: 'other',
          label: toText(link['description']),
        })),
      ].filter(({ target }) => target !== ''),
      created_at: toText(item['createdOn']),
    })
  }
}

async function readScripts(answers: Answers): Promise<Scripts> {
  const steps = new Map<string, Raw[]>()
  for await (const { of, item } of answers.read('teststeps')) {
    const list = steps.get(of)
    if (list === undefined) steps.set(of, [item])
    else list.push(item)
  }
  const texts = new Map<string, Raw>()
  for await (const { of, item } of answers.read('testscripts')) texts.set(of, item)
  return { steps, texts }
}

function readScript(key: string, { steps, texts }: Scripts): Pick<CaseRecord, 'template' | 'steps' | 'step_text'> {
  const script = texts.get(key)
  if (script !== undefined) {
    const isGherkin = script['type'] === 'bdd'
    return {
      template: isGherkin ? 'gherkin' : 'text',
      steps: [],
      step_text: { rule: isGherkin ? 'gherkin' : 'whole', action: readString(script, 'text'), expected: '' },
    }
  }
  const read = (step: Raw): readonly StepRecord[] => {
    const called = toText(readObject(step, 'testCase')['testCaseKey'])
    if (called === '') return [toStep(readObject(step, 'inline'))]
    const own = (steps.get(called) ?? []).filter((each) => toText(readObject(each, 'testCase')['testCaseKey']) === '')
    const found = own.map((each) => ({ ...toStep(readObject(each, 'inline')), shared: called }))
    return found.length > 0 ? found : [{ action: '', expected: '', shared: called }]
  }
  return { template: 'steps', steps: (steps.get(key) ?? []).flatMap(read), step_text: null }
}

const toStep = (inline: Raw): StepRecord => ({
  action: toText(inline['description']),
  data: toText(inline['testData']),
  expected: toText(inline['expectedResult']),
  notes: Object.entries(readCustomFields(inline)).map(([name, value]) => `${name}: ${value}`),
})

function readCustomFields(item: Raw): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(readObject(item, 'customFields'))) {
    // Values of fields of people are objects.
    const text = (Array.isArray(value) ? value : [value])
      .map((each: unknown) => (isRaw(each) ? toText(each['accountId']) || toText(each['name']) : toText(each)))
      .filter((each) => each !== '')
      .join(', ')
    if (text !== '') fields[name] = text
  }
  return fields
}
