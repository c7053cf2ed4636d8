import { ImportProblem } from '../../import-problem.ts'
import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import type { ReadContext } from '../format.ts'
import { type Datasets, type JsonRow, toText, NAMES } from './testmo-datasets.ts'
import { readTestmoHistory } from './testmo-history.ts'

export function* readTestmo(datasets: Datasets, context: ReadContext): Generator<ImportRecord> {
  const rows = (name: string) => datasets.get(name) ?? []
  const snapshots = new Set(
    rows('repositories')
      .filter((row) => row['is_snapshot'])
      .map(({ id }) => id),
  )
  const cases = rows('repository_cases').filter(
    (row) => !row['is_deleted'] && !snapshots.has(row['repo_id'] ?? row['repository_id']),
  )
  if (cases.length === 0) throw new ImportProblem('no_cases', 'The export of Testmo contains no test cases.')
  for (const user of rows('users')) {
    yield { kind: 'person', key: toText(user['id']), name: toText(user['name']), email: toText(user['email']) }
  }
  const folderIds = new Set(rows('repository_folders').map((row) => toText(row['id'])))
  for (const [position, folder] of rows('repository_folders').entries()) {
    const parent = toText(folder['parent_id'])
    yield {
      kind: 'folder',
      key: toText(folder['id']),
      name: toText(folder['name']),
      parent: folderIds.has(parent) ? parent : null,
      position: Number(folder['display_order'] ?? position),
    }
  }
  const steps = groupSteps(rows('repository_case_steps'))
  const users = new Map(rows('users').map((row) => [toText(row['id']), toText(row['email']) || toText(row['name'])]))
  const states = new Map(rows('states').map((row) => [toText(row['id']), toText(row['name'])]))
  const values = readValues(datasets)
  for (const [position, row] of cases.entries()) {
    const key = toText(row['id'])
    const folder = toText(row['folder_id'])
    const { Priority: priority = '', Type: type = '', ...fields } = { ...readOthers(row), ...values.get(key) }
    yield createCase({
      key,
      title: toText(row['title'] ?? row['name']),
      folder: folderIds.has(folder) ? folder : null,
      position,
      markup: 'html',
      precondition: toText(row['custom_preconditions']),
      descriptions: [{ heading: 'Description', text: toText(row['custom_description']) }],
      steps: steps.get(key) ?? [],
      expected_result: toText(row['custom_expected']),
      priority,
      type,
      state: states.get(toText(row['state_id'])) ?? '',
      written_estimate: { text: toText(row['estimate']), unitSeconds: 1 },
      fields,
      created_by: users.get(toText(row['created_by'])) ?? '',
      created_at: toText(row['created_at']),
      updated_by: users.get(toText(row['updated_by'])) ?? '',
      updated_at: toText(row['updated_at']),
    })
  }
  for (const [name, list] of datasets) {
    if (!READ.has(name) && list.length > 0) context.losses.add(`not_imported:${name}`, {}, list.length)
  }
  yield* readTestmoHistory(datasets, users, context)
}

/** Datasets that are read, or name what others refer to. */
const READ: ReadonlySet<string> = new Set([...NAMES, 'repositories', 'states', 'fields', 'field_values'])
const KNOWN: ReadonlySet<string> = new Set([
  'id',
  'key',
  'title',
  'name',
  'custom_preconditions',
  'custom_description',
  'custom_expected',
  'estimate',
])
/** Columns that refer to others, count them, or say something of the row itself. */
const NO_VALUE = /_(?:id|at|by|count|order)$|^(?:is|has)_/

/** What columns of a test case say that are not known. */
const readOthers = (row: JsonRow): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.map(toText).join(', ') : toText(value)
      return KNOWN.has(name) || NO_VALUE.test(name) || text === ''
        ? []
        : [[name.replace(/^custom_/, ''), text] as const]
    }),
  )

function groupSteps(rows: readonly JsonRow[]): Map<string, StepRecord[]> {
  const steps = new Map<string, StepRecord[]>()
  for (const row of rows.toSorted(
    (one, other) => Number(one['display_order'] ?? 0) - Number(other['display_order'] ?? 0),
  )) {
    const key = toText(row['case_id'])
    const step = {
      action: toText(row['text1']),
      data: toText(row['text2']),
      expected: [toText(row['text3']), toText(row['text4'])].filter((text) => text !== '').join('\n\n'),
    }
    const list = steps.get(key)
    if (list === undefined) steps.set(key, [step])
    else list.push(step)
  }
  return steps
}

/** Values of custom fields by case. */
function readValues(datasets: Datasets): Map<string, Record<string, string>> {
  const fields = new Map((datasets.get('fields') ?? []).map((row) => [toText(row['id']), toText(row['name'])]))
  const names = new Map((datasets.get('field_values') ?? []).map((row) => [toText(row['id']), toText(row['name'])]))
  const values = new Map<string, Record<string, string>>()
  for (const row of datasets.get('repository_case_values') ?? []) {
    const id = toText(row['field_id'])
    const field = fields.get(id) ?? `Field ${id}`
    const key = toText(row['case_id'])
    const text = names.get(toText(row['value_id'])) ?? toText(row['value'])
    // A field can have several values.
    const before = values.get(key)?.[field]
    if (text !== '')
      values.set(key, { ...values.get(key), [field]: before === undefined ? text : `${before}, ${text}` })
  }
  return values
}
