import { createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import type { Columns, TableRow } from '../../tables/table.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { HeadedTable, ReadContext, System, TableFormat } from '../format.ts'
import { groupRows } from '../group-rows.ts'

/** What the columns of a table with a row a step are called. */
interface RowStepSpec {
  readonly system: System
  readonly format: string
  readonly matches: TableFormat['matches']
  readonly key: readonly string[]
  readonly title: readonly string[]
  readonly action: readonly string[]
  readonly data?: readonly string[]
  /** The name of a step, before its action. */
  readonly stepName?: readonly string[]
  readonly expected: readonly string[]
  readonly precondition?: readonly string[]
  readonly description?: readonly string[]
  readonly priority?: readonly string[]
  readonly type?: readonly string[]
  readonly state?: readonly string[]
  readonly tags?: readonly string[]
  readonly owner?: readonly string[]
  readonly automation?: readonly string[]
  readonly links?: readonly string[]
  readonly attachments?: readonly string[]
  readonly folder?: readonly string[]
  readonly folderSeparator?: string
  /** The sheet is the folder. */
  readonly isInSheet?: boolean
  readonly createdBy?: readonly string[]
  readonly createdAt?: readonly string[]
  /** A text of Gherkin for cases without rows of steps. */
  readonly script?: readonly string[]
  /** The last result of a case. */
  readonly lastStatus?: readonly string[]
  readonly lastRunAt?: readonly string[]
  readonly lastRunName?: string
  readonly markup?: 'markdown' | 'html' | 'plain'
  readonly ignored?: readonly string[]
}

const NAMED = [
  'key',
  'title',
  'action',
  'data',
  'stepName',
  'expected',
  'precondition',
  'description',
  'priority',
  'type',
  'state',
  'tags',
  'owner',
  'automation',
  'links',
  'attachments',
  'folder',
  'createdBy',
  'createdAt',
  'script',
  'lastStatus',
  'lastRunAt',
  'ignored',
] as const

/** Columns that each row has for itself. */
const OF_ROWS = ['stepName', 'action', 'data', 'expected', 'ignored'] as const

function createRowStepFormat(spec: RowStepSpec): TableFormat {
  return {
    system: spec.system,
    format: spec.format,
    matches: spec.matches,
    async *read(tables, context) {
      const folders = new Folders()
      for (const table of tables) yield* readTable(spec, table, folders, context)
    },
  }
}

async function* readTable(
  spec: RowStepSpec,
  table: HeadedTable,
  folders: Folders,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const { columns } = table
  const cell = (row: TableRow, names: readonly string[] = []) => columns.get(row, ...names)
  const known = NAMED.flatMap((name) => spec[name] ?? [])
  const ofRows = OF_ROWS.flatMap((name) => spec[name] ?? [])
  const isStart = (_: Columns, row: TableRow, last: TableRow | null) => {
    const [key, title] = [cell(row, spec.key), cell(row, spec.title)]
    if (key === '' && title === '') return false
    return last === null || key === '' || key !== cell(last, spec.key)
  }
  let hasRun = false
  for await (const rows of groupRows(table, losses, isStart)) {
    const [first] = rows
    const get = (names: readonly string[] = []) => columns.first(rows, ...names)
    const path = [
      ...(spec.isInSheet === true && table.table.name !== '' ? [table.table.name] : []),
      ...splitFolderPath(get(spec.folder), spec.folderSeparator ?? '/'),
    ]
    const { key: folder, records } = folders.add(path)
    yield* records
    const key = get(spec.key)
    if (key === '') losses.add('no_key', { title: get(spec.title) })
    const steps = rows.map((each) => readStep(spec, columns, each))
    const hasSteps = steps.some(({ action, data, expected }) => `${action}${data ?? ''}${expected}` !== '')
    const script = get(spec.script)
    const attachments = splitList(
      rows.map((each) => cell(each, spec.attachments)).find((text) => text !== '') ?? '',
      '\n',
    )
    if (attachments.length > 0)
      losses.add('attachment_not_in_file', { key, title: get(spec.title) }, attachments.length)
    yield createCase({
      key: key === '' ? null : key,
      title: get(spec.title),
      folder,
      position: folders.next(folder),
      markup: spec.markup ?? 'markdown',
      precondition: get(spec.precondition),
      descriptions: [
        { heading: 'Description', text: get(spec.description) },
        { heading: 'Scenario', text: hasSteps ? script : '' },
      ],
      ...(!hasSteps && script !== ''
        ? { template: 'gherkin' as const, step_text: { rule: 'gherkin' as const, action: script, expected: '' } }
        : { steps }),
      priority: get(spec.priority),
      type: get(spec.type),
      state: get(spec.state),
      tags: splitList(get(spec.tags), /[;,]/),
      owner: get(spec.owner),
      automation_keys: [get(spec.automation)].filter((text) => text !== ''),
      links: columns
        .list(first, ...(spec.links ?? []))
        .flatMap((text) => splitList(text, /[;,\n]/))
        .map((target): LinkRecord => ({ target, kind: 'requirement' })),
      attachments: attachments.map((name) => ({ name })),
      fields: columns.restOf(rows, known, ofRows),
      created_by: get(spec.createdBy),
      created_at: get(spec.createdAt),
    })
    const status = get(spec.lastStatus)
    if (key === '' || status === '' || NOT_RUN.test(status)) continue
    if (!hasRun) yield { kind: 'run', key: LAST_RESULTS, name: spec.lastRunName ?? 'Last results', created_at: '' }
    hasRun = true
    yield {
      kind: 'result',
      run: LAST_RESULTS,
      case: key,
      status,
      note: '',
      elapsed_seconds: null,
      person: '',
      at: get(spec.lastRunAt),
      defects: [],
    }
  }
}

/** The run of results that belong to test cases, not to runs. */
const LAST_RESULTS = 'last results'
const NOT_RUN = /^(?:no|not) run$/i

function readStep(spec: RowStepSpec, columns: Columns, row: TableRow): StepRecord {
  const get = (names: readonly string[] = []) => columns.get(row, ...names)
  const [name, action] = [get(spec.stepName), get(spec.action)]
  return {
    action: [name === '' || name === action ? '' : `**${name}**`, action].filter((text) => text !== '').join('\n\n'),
    data: get(spec.data),
    expected: get(spec.expected),
  }
}

export const practitestCsv = createRowStepFormat({
  system: 'practitest',
  format: 'practitest-csv',
  matches: (columns) => columns.has('Step position', 'Step expected_results'),
  key: ['id'],
  title: ['Name'],
  stepName: ['Step name'],
  action: ['Step description'],
  expected: ['Step expected_results'],
  precondition: ['Preconditions'],
  description: ['Description'],
  state: ['Status'],
  type: ['Test_type'],
  tags: ['Tags'],
  links: ['Traceability - Requirements', 'Traceability - Issues'],
  createdBy: ['Author'],
  createdAt: ['created at'],
  script: ['Scenario'],
  lastStatus: ['Run_status'],
  lastRunAt: ['Last Run'],
  lastRunName: 'Last results from PractiTest',
  ignored: ['Step position'],
})

export const qtestXlsx = createRowStepFormat({
  system: 'qtest',
  format: 'qtest-xlsx',
  matches: (columns) => columns.has('Test Step #', 'Test Step Expected Result'),
  key: ['Id'],
  title: ['Name'],
  action: ['Test Step Description'],
  expected: ['Test Step Expected Result'],
  precondition: ['Precondition'],
  description: ['Description'],
  priority: ['Priority'],
  type: ['Type'],
  state: ['Status'],
  owner: ['Assigned To'],
  links: ['Requirement Ids'],
  attachments: ['Attachments'],
  isInSheet: true,
  ignored: ['Test Step #'],
})

export const azureCsv = createRowStepFormat({
  system: 'azure',
  format: 'azure',
  matches: (columns) => columns.has('Work Item Type', 'Step Action'),
  key: ['ID'],
  title: ['Title'],
  action: ['Step Action'],
  expected: ['Step Expected'],
  description: ['Description'],
  priority: ['Priority'],
  state: ['State'],
  tags: ['Tags'],
  owner: ['Assigned To'],
  automation: ['Automated Test Name', 'AutomatedTestName'],
  folder: ['Area Path'],
  folderSeparator: '\\',
  markup: 'html',
  ignored: ['Work Item Type', 'Test Step'],
})
