import type { FolderRecord, ImportRecord, MilestoneRecord, StepRecord } from '../../records.ts'
import type { Answers, AnswerFormat } from '../answers.ts'
import { toText, toTime, toNumber } from '../answers.ts'
import { isRaw, type Raw, readObjects } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { toTestrailCase } from './testrail-case.ts'
import { createFieldReader, type ReadFieldText } from './testrail-fields.ts'
import { readTestrailHistory } from './testrail-history.ts'
import { chooseSteps } from './testrail-steps.ts'

/** What ids in the answers stand for. */
export interface TestrailNames {
  readonly users: ReadonlyMap<string, string>
  readonly priorities: ReadonlyMap<string, string>
  readonly types: ReadonlyMap<string, string>
  readonly templates: ReadonlyMap<string, string>
  readonly milestones: ReadonlyMap<string, string>
  readonly readField: ReadFieldText
}

/** What the API of TestRail has answered: get_suites, get_sections, get_cases and so on. */
export const testrailAnswers: AnswerFormat = {
  system: 'testrail',
  async *read(answers, context) {
    const users = await answers.names('users', (user) => toText(user['email']) || toText(user['name']))
    for await (const { item } of answers.read('users')) {
      yield {
        kind: 'person',
        key: toText(item['id']),
        name: toText(item['name']),
        ...(toText(item['email']) !== '' && { email: toText(item['email']) }),
      }
    }
    const milestones = await listMilestones(answers)
    const milestoneNames = new Map(milestones.map(({ key, name }) => [key.slice(1), name]))
    const names: TestrailNames = {
      users,
      priorities: await answers.names('priorities'),
      types: await answers.names('case_types'),
      templates: await answers.names('templates'),
      milestones: milestoneNames,
      readField: createFieldReader(await answers.list('case_fields'), { users, milestones: milestoneNames }),
    }
    const folders = yield* readFolders(answers)
    yield* readCases(answers, names, folders, context)
    yield* milestones
    yield* readTestrailHistory(answers, users, context)
  },
}

/** Several suites are a folder each; the only one of a project is none. */
async function* readFolders(answers: Answers): AsyncGenerator<ImportRecord, ReadonlySet<string>> {
  const suites = await answers.list('suites')
  const hasSuites = suites.length > 1
  const keys = new Set<string>()
  for (const [position, suite] of suites.entries()) {
    if (!hasSuites) break
    const key = `suite-${toText(suite['id'])}`
    keys.add(key)
    yield toFolder({ key, parent: null, position }, suite)
  }
  const sections = await answers.list('sections')
  const ids = new Set(sections.map((section) => toText(section['id'])))
  for (const section of sections) {
    const key = `S${toText(section['id'])}`
    const parent = toText(section['parent_id'])
    const suite = `suite-${toText(section['suite_id'])}`
    keys.add(key)
    const above = ids.has(parent) ? `S${parent}` : keys.has(suite) ? suite : null
    yield toFolder({ key, parent: above, position: toNumber(section['display_order']) }, section)
  }
  return keys
}

const toFolder = (place: Pick<FolderRecord, 'key' | 'parent' | 'position'>, item: Raw): FolderRecord => ({
  kind: 'folder',
  ...place,
  name: toText(item['name']) || 'Untitled',
  ...(toText(item['description']) !== '' && { description: toText(item['description']) }),
})

async function* readCases(
  answers: Answers,
  names: TestrailNames,
  folders: ReadonlySet<string>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const shared = new Map<string, readonly StepRecord[]>()
  for await (const { item } of answers.read('shared_steps')) {
    const steps = readObjects(item, 'custom_steps_separated').map(toStep)
    const key = toText(item['id'])
    shared.set(key, steps)
    yield { kind: 'shared_steps', key, title: toText(item['title']), markup: 'testrail', steps }
  }
  for await (const { item } of answers.read('cases')) {
    if (item['is_deleted'] === 1 || item['is_deleted'] === true) continue
    const [section, suite] = [`S${toText(item['section_id'])}`, `suite-${toText(item['suite_id'])}`]
    const name = (map: ReadonlyMap<string, string>, field: string) =>
      map.get(toText(item[field])) ?? toText(item[field])
    if (toText(item['estimate_forecast']) !== '')
      losses.add('not_imported:forecasts', { key: `C${toText(item['id'])}` })
    const { steps, texts } = chooseSteps(
      new Map(
        listStepFields(item).map((field) => [
          toFieldName(field),
          readObjects(item, field).flatMap((step) => addShared(toStep(step), shared)),
        ]),
      ),
    )
    yield toTestrailCase({
      key: `C${toText(item['id'])}`,
      title: toText(item['title']),
      folder: folders.has(section) ? section : folders.has(suite) ? suite : null,
      position: toNumber(item['display_order']),
      template: name(names.templates, 'template_id'),
      priority: name(names.priorities, 'priority_id'),
      type: name(names.types, 'type_id'),
      estimate: toText(item['estimate']),
      owner: name(names.users, 'assigned_to_id'),
      references: toText(item['refs']),
      steps,
      custom: new Map([...readCustom(item, names), ...texts]),
      tags: readObjects(item, 'labels').map((label) => toText(label['title'])),
      created_by: name(names.users, 'created_by'),
      created_at: toTime(item['created_on']),
      updated_by: name(names.users, 'updated_by'),
      updated_at: toTime(item['updated_on']),
    })
  }
}

/** Steps of shared steps come with their texts, or with the id alone. */
function addShared(step: StepRecord, shared: ReadonlyMap<string, readonly StepRecord[]>): readonly StepRecord[] {
  const { shared: key } = step
  if (key === undefined || step.action !== '' || step.expected !== '') return [step]
  const found = shared.get(key) ?? []
  return found.length === 0 ? [step] : found.map((each) => ({ ...each, shared: key }))
}

const toStep = (step: Raw): StepRecord => ({
  action: toText(step['content']),
  expected: toText(step['expected']),
  notes: [toText(step['additional_info']), toText(step['refs'])].filter((note) => note !== ''),
  ...(toText(step['shared_step_id']) !== '' && { shared: toText(step['shared_step_id']) }),
})

/** Fields of steps: lists of objects with a text or an expected result each. Scenarios are such a list, too, without results. */
const listStepFields = (item: Raw): string[] =>
  Object.entries(item).flatMap(([name, value]) =>
    name.startsWith('custom_') &&
    Array.isArray(value) &&
    value.some(
      (each) =>
        isRaw(each) &&
        ('expected' in each || 'shared_step_id' in each || (name === 'custom_steps_separated' && 'content' in each)),
    )
      ? [name]
      : [],
  )

const toFieldName = (name: string) => name.slice('custom_'.length)

/** Custom fields without those of steps, by the name that XML files have for them, with the words of options, and the milestone. */
function readCustom(item: Raw, { readField, milestones }: TestrailNames): Map<string, string> {
  const milestone = toText(item['milestone_id'])
  const custom = new Map<string, string>([['milestone', milestones.get(milestone) ?? milestone]])
  const ofSteps = new Set(listStepFields(item))
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith('custom_') && !ofSteps.has(name)) custom.set(toFieldName(name), readField(name, value))
  }
  return custom
}

async function listMilestones(answers: Answers): Promise<MilestoneRecord[]> {
  const found: MilestoneRecord[] = []
  const add = (item: Raw, parent: string | null) => {
    const key = `M${toText(item['id'])}`
    const above = toText(item['parent_id'])
    found.push({
      kind: 'milestone',
      key,
      name: toText(item['name']),
      description: toText(item['description']),
      parent: parent ?? (above === '' ? null : `M${above}`),
      start: toTime(item['start_on'] ?? item['started_on']),
      due: toTime(item['due_on']),
      is_completed: item['is_completed'] === true,
    })
    const inner = item['milestones']
    if (Array.isArray(inner)) for (const each of inner.filter(isRaw)) add(each, key)
  }
  for await (const { item } of answers.read('milestones')) add(item, null)
  return found.filter(({ key }, index) => found.findIndex((other) => other.key === key) === index)
}
