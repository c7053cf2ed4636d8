import {
  DATA_SET,
  type DataCase,
  type DataResult,
  type DataRun,
  findFiles,
  FOLDER_TREE,
  listResults,
  listUntested,
} from './data-set.ts'
import {
  type FakeAnswer,
  type FakeLists,
  type FakeRequest,
  type FakeTool,
  json,
  PAGE_SIZE,
  startFakeTool,
} from './fake-tool.ts'

export const TESTMO_KEY = 'testmo-key-c41d'

/** Beyond the six that every instance has. */
const STATUS_IDS = { passed: 2, failed: 3, blocked: 5, known_issue: 7, in_review: 8 } as const
const STATUSES = [
  { id: 2, name: 'Passed' },
  { id: 3, name: 'Failed' },
  { id: 5, name: 'Blocked' },
  { id: 7, name: 'Known issue' },
  { id: 8, name: 'In review' },
]
const PRIORITIES = ['Critical', 'High', 'Medium', 'Low'].map((name, index) => ({ id: 52 + index, name }))
const TAGS = [{ id: 1, name: 'nightly' }]
const CONFIGS = [
  { id: 1, name: 'Chrome' },
  { id: 2, name: 'Firefox' },
]
const ISSUES = DATA_SET.results.flatMap(({ id, defects }) => defects.map((defect) => ({ id, display_id: defect })))

const toCase = (testCase: DataCase) => ({
  id: testCase.id,
  key: testCase.id,
  project_id: 3,
  name: testCase.title,
  folder_id: testCase.folder,
  template_id: 1,
  state_id: 4,
  estimate: testCase.estimateSeconds === 0 ? null : testCase.estimateSeconds,
  tags: testCase.tags.map(() => 1),
  custom_priority: 51 + testCase.priority,
  custom_preconditions: testCase.precondition === '' ? null : `<p>${testCase.precondition}</p>`,
  custom_references: testCase.reference,
  custom_severity: testCase.severity,
  custom_steps: testCase.steps.map(({ action, data, expected, shared }, index) => ({
    text1: shared === null ? `<p>${action}</p>` : `<p>Shared ${shared}</p>`,
    text2: data,
    text3: `<p>${expected}</p>`,
    text4: null,
    display_order: index + 1,
  })),
  created_at: testCase.createdAt.toISOString(),
  created_by: testCase.createdBy,
})

const toRun = (run: DataRun) => ({
  id: run.id,
  project_id: 3,
  name: run.name,
  config_id: run.configuration === '' ? null : run.configuration === 'Chrome' ? 1 : 2,
  milestone_id: run.milestone,
  is_closed: true,
  untested_count: listUntested(run).length,
  created_at: run.createdAt.toISOString(),
  created_by: 1,
  closed_at: null,
})

const toResult = (result: DataResult) => ({
  id: result.id,
  run_id: result.run,
  test_id: result.run * 1000 + result.testCase,
  case_id: result.testCase,
  status_id: STATUS_IDS[result.status],
  note: result.comment === '' ? null : `<p>${result.comment}</p>`,
  elapsed: result.elapsedSeconds * 1_000_000,
  issues: result.defects.length === 0 ? [] : [result.id],
  created_at: result.at.toISOString(),
  created_by: result.person,
  deleted_at: null,
})

/** Testmo: `GET /api/v1/…`, Bearer. */
export const startFakeTestmo = (): Promise<FakeTool> =>
  startFakeTool((request, lists) =>
    request.headers.authorization === `Bearer ${TESTMO_KEY}`
      ? answer(request, lists)
      : json({ message: 'Unauthenticated.' }, 401),
  )

function answer({ path, query }: FakeRequest, lists: FakeLists): FakeAnswer {
  const [, fileId] = /^\/attachments\/view\/(\d+)$/.exec(path) ?? []
  if (fileId !== undefined) return { type: 'text/plain', body: DATA_SET.files[Number(fileId) - 1]?.bytes ?? '' }
  const page = (items: readonly object[], expands: object = {}): FakeAnswer => {
    const number = Number(query.get('page') ?? 1)
    const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE))
    return json({
      page: number,
      prev_page: number > 1 ? number - 1 : null,
      next_page: number < pages ? number + 1 : null,
      last_page: pages,
      per_page: PAGE_SIZE,
      total: lists.count(path, items.length),
      result: lists.slice<object>(items, (number - 1) * PAGE_SIZE, PAGE_SIZE, { id: 999_999, name: 'Inserted' }),
      expands,
    })
  }
  if (!['15', '25', '50', '100', null].includes(query.get('per_page')))
    return json({ message: 'The per page is invalid.' }, 422)
  const [, list = '', id = '', inner = ''] = /^\/api\/v1\/([a-z]+)(?:\/(\d+)(?:\/(.+))?)?$/.exec(path) ?? []
  switch (`${list} ${inner}`) {
    case 'projects ':
      return id === '3'
        ? json({ result: { id: 3, name: DATA_SET.project.name } })
        : json({ message: 'Not found.' }, 404)
    case 'users ':
      return page(DATA_SET.people)
    case 'projects fields':
      return page([
        { id: 1, name: 'Priority', system_name: 'custom_priority', values: PRIORITIES },
        { id: 2, name: 'Severity', system_name: 'custom_severity', values: [] },
      ])
    case 'projects states':
      return page([{ id: 4, name: 'Active' }])
    case 'projects folders':
      return page(
        FOLDER_TREE.map(({ id: folder, parent, name }) => ({
          id: folder,
          name,
          parent_id: parent,
          display_order: folder,
        })),
      )
    case 'projects cases':
      return page(DATA_SET.cases.map(toCase), {
        tags: TAGS,
        templates: [{ id: 1, name: 'Steps' }],
        users: DATA_SET.people,
      })
    case 'projects milestones':
      return page(
        DATA_SET.milestones.map((milestone) => ({
          id: milestone.id,
          name: milestone.name,
          due_date: milestone.dueAt.toISOString(),
        })),
      )
    case 'projects runs':
      return page(DATA_SET.runs.map(toRun), { configs: CONFIGS, users: DATA_SET.people })
    case 'runs results':
      return page(listResults(Number(id)).map(toResult), { statuses: STATUSES, users: DATA_SET.people, issues: ISSUES })
    case 'projects sessions':
    case 'projects automation/runs':
      return page([])
    case 'cases attachments':
      return page(
        findFiles(null, Number(id)).map((file) => ({
          id: file.id,
          name: file.name,
          path: `attachments/view/${file.id}`,
        })),
      )
    default:
      return json({ message: 'Not found.' }, 404)
  }
}
