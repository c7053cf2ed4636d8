import { createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { type Raw, readObject, readObjects } from '../caseward/read-values.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { ReadContext } from '../format.ts'
import { readAzureRuns } from './azure-history.ts'
import { AzurePeople } from './azure-people.ts'
import { readAzureData, readAzureSteps, readSharedRows, type Rows } from './azure-xml.ts'

const TITLE = 'System.Title'
const STEPS = 'Microsoft.VSTS.TCM.Steps'
const PARAMETERS = 'Microsoft.VSTS.TCM.Parameters'
/** Where a link to an address, and one to a requirement, stands. */
const HYPERLINK = 'Hyperlink'
const TESTED_BY = 'Microsoft.VSTS.Common.TestedBy-Reverse'
/** Files are attached by themselves. */
const READ_RELATIONS: ReadonlySet<string> = new Set([HYPERLINK, TESTED_BY, 'AttachedFile'])
/** Fields of every work item, of which these have a meaning for people. */
const NAMED_FIELDS: Readonly<Record<string, string>> = {
  'System.AreaPath': 'Area path',
  'System.IterationPath': 'Iteration',
  'System.Reason': 'Reason',
  'Microsoft.VSTS.Common.Severity': 'Severity',
  'Microsoft.VSTS.TCM.AutomationStatus': 'Automation status',
}

/** What the API of Azure Test Plans has answered: plans, suites, work items, runs, results and so on. */
export const azureAnswers: AnswerFormat = {
  system: 'azure',
  async *read(answers, context) {
    const people = new AzurePeople()
    const findFolder = yield* readSuites(answers, context)
    yield* readCases(answers, { people, findFolder }, context)
    yield* readAzureRuns(answers, people, context)
    yield* people.list()
  },
}

type FindFolder = (key: string) => { folder: string; position: number } | null

/** Folders are the suites of the plans. The root of a plan has its name. */
async function* readSuites(answers: Answers, { losses }: ReadContext): AsyncGenerator<ImportRecord, FindFolder | null> {
  const places = new Map<string, { folder: string; position: number }>()
  for await (const { of, item } of answers.read('suite_cases')) {
    // The list is of a plan and a suite.
    const [, suite = ''] = of.split(' ')
    const key = toText(item['id'])
    if (places.has(key)) losses.add('case_in_several_suites', { key })
    else places.set(key, { folder: `suite-${suite}`, position: toNumber(item['order']) })
  }
  const suites = await answers.list('suites')
  const ids = new Set(suites.map((suite) => toText(suite['id'])))
  for (const [position, suite] of suites.entries()) {
    const parent = toText(readObject(suite, 'parentSuite')['id'])
    yield {
      kind: 'folder',
      key: `suite-${toText(suite['id'])}`,
      name: toText(suite['name']) || 'Untitled',
      parent: ids.has(parent) ? `suite-${parent}` : null,
      position,
    }
  }
  return suites.length === 0 ? null : (key) => places.get(key) ?? null
}

interface Known {
  readonly people: AzurePeople
  /** Null without suites: then area paths are the folders. */
  readonly findFolder: FindFolder | null
}

async function* readCases(
  answers: Answers,
  { people, findFolder }: Known,
  context: ReadContext,
): AsyncGenerator<ImportRecord> {
  const shared = new Map<string, readonly StepRecord[]>()
  const data = new Map<string, Rows>()
  for await (const { item } of answers.read('shared_items')) {
    const [key, fields] = [toText(item['id']), readObject(item, 'fields')]
    if (toText(fields['System.WorkItemType']) === 'Shared Parameter') {
      const rows = readSharedRows(toText(fields[PARAMETERS]))
      if (rows !== null) data.set(key, rows)
      continue
    }
    const steps = readSteps(key, fields, new Map(), context)
    shared.set(key, steps)
    yield { kind: 'shared_steps', key, title: toText(fields[TITLE]), markup: 'html', steps }
  }
  const { losses } = context
  const areas = new Folders()
  for await (const { item } of answers.read('cases')) {
    const [key, fields] = [toText(item['id']), readObject(item, 'fields')]
    const area = findFolder === null ? areas.add(splitFolderPath(toText(fields['System.AreaPath']), '\\')) : null
    yield* area?.records ?? []
    const place = findFolder?.(key)
    const automated = toText(fields['Microsoft.VSTS.TCM.AutomatedTestName'])
    for (const relation of readObjects(item, 'relations')) {
      if (READ_RELATIONS.has(toText(relation['rel']))) continue
      const attributes = readObject(relation, 'attributes')
      losses.add('not_imported:relation', { key, place: toText(attributes['name']) || toText(relation['rel']) })
    }
    yield createCase({
      key,
      title: toText(fields[TITLE]),
      folder: place?.folder ?? area?.key ?? null,
      position: place?.position ?? toNumber(key),
      markup: 'html',
      descriptions: [{ heading: 'Description', text: toText(fields['System.Description']) }],
      steps: readSteps(key, fields, shared, context),
      priority: toText(fields['Microsoft.VSTS.Common.Priority']),
      state: toText(fields['System.State']),
      tags: splitList(toText(fields['System.Tags']), ';'),
      owner: people.find(fields['System.AssignedTo']),
      automation_keys: automated === '' ? [] : [automated],
      fields: readFields(fields, people),
      links: readObjects(item, 'relations').flatMap(toLink),
      data_set: readRows(key, toText(fields['Microsoft.VSTS.TCM.LocalDataSource']), data, context),
      created_by: people.find(fields['System.CreatedBy']),
      created_at: toText(fields['System.CreatedDate']),
      updated_by: people.find(fields['System.ChangedBy']),
      updated_at: toText(fields['System.ChangedDate']),
    })
  }
}

function readSteps(
  key: string,
  fields: Raw,
  shared: ReadonlyMap<string, readonly StepRecord[]>,
  { losses }: ReadContext,
): StepRecord[] {
  const steps = readAzureSteps(toText(fields[STEPS]))
  if (steps === null) losses.add('not_imported:damaged_steps', { key })
  return (steps ?? []).flatMap((step): readonly StepRecord[] => {
    if (!('shared' in step)) return [step]
    const found = shared.get(step.shared) ?? []
    return found.length > 0
      ? found.map((each) => ({ ...each, shared: step.shared }))
      : [{ action: '', expected: '', shared: step.shared }]
  })
}

function readRows(
  key: string,
  text: string,
  shared: ReadonlyMap<string, Rows>,
  { losses }: ReadContext,
): { columns: readonly string[]; rows: readonly (readonly string[])[] } | null {
  if (text.trim() === '') return null
  const read = readAzureData(text)
  const rows = read !== null && 'shared' in read ? shared.get(read.shared) : read
  if (rows === null || rows === undefined) {
    losses.add('not_imported:test_data', { key })
    return null
  }
  const names = read !== null && 'shared' in read ? read.names : new Map<string, string>()
  const columns = rows.columns.map((column) => names.get(column) || column)
  return columns.length === 0 || rows.rows.length === 0 ? null : { columns, rows: rows.rows }
}

/** Fields of one's own, and those of Azure that say more than how the work item was edited. */
function readFields(fields: Raw, people: AzurePeople): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const isOwn = !/^(?:System|Microsoft|WEF_[^.]+|WEF)\b/.test(name)
    const label = NAMED_FIELDS[name] ?? (isOwn ? name.replace(/^.*\./, '') : '')
    if (label === '') continue
    const text = toText(value) || people.find(value)
    // Two fields can have the same last word.
    if (text !== '') values[label in values ? name : label] = text
  }
  return values
}

function toLink(relation: Raw): LinkRecord[] {
  const [kind, url] = [toText(relation['rel']), toText(relation['url'])]
  const label = toText(readObject(relation, 'attributes')['comment'])
  if (kind === HYPERLINK) return [{ target: url, kind: 'other', ...(label !== '' && { label }) }]
  // The address that people open, not that of the API.
  if (kind === TESTED_BY)
    return [{ target: url.replace(/_apis\/wit\/workItems\//i, '_workitems/edit/'), kind: 'requirement' }]
  return []
}
