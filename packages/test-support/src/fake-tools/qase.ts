import { DATA_SET, type DataCase, type DataRun, FOLDER_TREE, listResults } from './data-set.ts'
import {
  type FakeAnswer,
  type FakeLists,
  type FakeRequest,
  type FakeTool,
  json,
  PAGE_SIZE,
  startFakeTool,
} from './fake-tool.ts'

export const QASE_TOKEN = 'qase-token-51e2'

const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
/** Qase has no statuses of one's own. */
const STATUSES = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  known_issue: 'invalid',
  in_review: 'in_progress',
} as const

const toHash = (id: number) => `hash-${id}`

const toFiles = (baseUrl: string, isWanted: (file: (typeof DATA_SET.files)[number]) => boolean) =>
  DATA_SET.files.filter(isWanted).map((file) => ({
    size: file.bytes.length,
    mime: 'text/plain',
    filename: file.name,
    url: `${baseUrl}/public/${file.id}`,
  }))

const toCase = (testCase: DataCase, position: number, baseUrl: string) => ({
  id: testCase.id,
  position,
  title: testCase.title,
  description: null,
  preconditions: testCase.precondition,
  postconditions: null,
  severity: testCase.severity === 'Major' ? 2 : 3,
  priority: testCase.priority,
  type: 3,
  layer: 0,
  behavior: 0,
  automation: 0,
  status: 0,
  is_flaky: 0,
  suite_id: testCase.folder,
  milestone_id: null,
  links:
    testCase.reference === ''
      ? []
      : [{ title: testCase.reference, url: `https://tracker.example/${testCase.reference}` }],
  params: {},
  tags: testCase.tags.map((title) => ({ title, internal_id: 1 })),
  custom_fields: [{ id: 9, value: String(1 + (testCase.id % 2)) }],
  steps_type: 'classic',
  steps: testCase.steps.map(({ action, data, expected, shared }, index) => ({
    hash: `${testCase.id}-${index}`,
    shared_step_hash: shared === null ? null : toHash(shared),
    position: index + 1,
    action,
    expected_result: expected,
    data,
    attachments: [],
    steps: [],
  })),
  attachments: toFiles(baseUrl, (file) => file.run === null && file.testCase === testCase.id),
  member_id: testCase.createdBy,
  created_at: testCase.createdAt.toISOString(),
  updated_at: testCase.createdAt.toISOString(),
})

const toRun = (run: DataRun) => ({
  id: run.id,
  title: run.name,
  description: null,
  status: 1,
  status_text: 'passed',
  start_time: run.createdAt.toISOString().slice(0, 19).replace('T', ' '),
  end_time: new Date(run.createdAt.getTime() + 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
  plan_id: run.plan,
  milestone: { title: `Release ${run.milestone}` },
  environment: null,
  configurations: run.configuration === '' ? [] : [run.configuration === 'Chrome' ? 1 : 2],
  cases: run.cases,
})

/** Qase: `GET /v1/…` with the header `Token`; files are public. */
export async function startFakeQase(): Promise<FakeTool> {
  const tool: FakeTool = await startFakeTool((request, lists) => answer(request, lists, tool.url))
  return tool
}

function answer(request: FakeRequest, lists: FakeLists, baseUrl: string): FakeAnswer {
  const [, fileId] = /^\/public\/(\d+)$/.exec(request.path) ?? []
  if (fileId !== undefined) {
    const file = DATA_SET.files.find(({ id }) => id === Number(fileId))
    return file === undefined ? json({}, 404) : { type: 'text/plain', body: file.bytes }
  }
  if (request.headers['token'] !== QASE_TOKEN) return json({ status: false, errorMessage: 'Unauthenticated' }, 401)
  const [, name = '', , id] = /^\/v1\/([a-z_]+)(\/SHOP)?(?:\/(\d+))?$/.exec(request.path) ?? []
  const page = (items: readonly object[], inserted: object = { id: 999_999, hash: 'inserted' }): FakeAnswer => {
    const offset = Number(request.query.get('offset') ?? 0)
    const entities = lists.slice(items, offset, Math.min(PAGE_SIZE, Number(request.query.get('limit') ?? 10)), inserted)
    const total = lists.count(name, items.length)
    return json({ status: true, result: { total, filtered: total, count: entities.length, entities } })
  }
  const options = (titles: readonly string[]) => titles.map((title, index) => ({ id: index + 1, title, slug: title }))
  switch (name) {
    case 'project':
      return json({ status: true, result: { title: DATA_SET.project.name, code: 'SHOP' } })
    case 'system_field':
      return json({
        status: true,
        result: [
          { title: 'Priority', slug: 'priority', options: options(PRIORITIES) },
          { title: 'Severity', slug: 'severity', options: options(['blocker', 'major', 'minor']) },
          { title: 'Type', slug: 'type', options: options(['other', 'smoke', 'regression']) },
          { title: 'Status', slug: 'status', options: [{ id: 0, title: 'Actual', slug: 'actual' }] },
        ],
      })
    case 'custom_field':
      return page([
        {
          id: 9,
          title: 'Browser',
          entity: 'case',
          type: 'Selectbox',
          value: '[{"id":1,"title":"Any"},{"id":2,"title":"New"}]',
        },
      ])
    case 'author':
      return page(DATA_SET.people.map((person) => ({ ...person, author_id: person.id, is_active: true })))
    case 'suite':
      return page(
        FOLDER_TREE.map((folder) => ({
          id: folder.id,
          title: folder.name,
          parent_id: folder.parent,
          position: folder.id,
        })),
      )
    case 'shared_step':
      return page(
        DATA_SET.sharedSteps.map((shared) => ({
          hash: toHash(shared.id),
          title: shared.title,
          steps: shared.steps.map(({ action, expected }, index) => ({
            position: index + 1,
            action,
            expected_result: expected,
          })),
        })),
      )
    case 'case':
      return page(DATA_SET.cases.map((testCase, position) => toCase(testCase, position, baseUrl)))
    case 'milestone':
      return page(
        DATA_SET.milestones.map(({ id: milestone, name: title, dueAt }) => ({
          id: milestone,
          title,
          due_date: dueAt.toISOString(),
        })),
      )
    case 'plan':
      return page(DATA_SET.plans.map((plan) => ({ id: plan.id, title: plan.name })))
    case 'environment':
      return page([])
    case 'configuration':
      return page([
        {
          title: 'Browser',
          configurations: [
            { id: 1, title: 'Chrome' },
            { id: 2, title: 'Firefox' },
          ],
        },
      ])
    case 'run':
      return page(DATA_SET.runs.map(toRun))
    case 'result': {
      const run = Number(request.query.get('run'))
      return page(
        listResults(run).map((result) => ({
          hash: `result-${result.id}`,
          run_id: run,
          case_id: result.testCase,
          status: STATUSES[result.status],
          comment: result.comment === '' ? null : result.comment,
          stacktrace: null,
          time_spent_ms: result.elapsedSeconds * 1000,
          end_time: result.at.toISOString(),
          author_id: result.person,
          steps: [],
          attachments: toFiles(baseUrl, (file) => file.run === run && file.testCase === result.testCase).filter(
            // The newest result has them.
            () => !listResults(run).some((other) => other.testCase === result.testCase && other.id > result.id),
          ),
        })),
      )
    }
    default:
      return json({ status: false, errorMessage: `Not found ${id ?? ''}` }, 404)
  }
}
