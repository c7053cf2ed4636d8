import { DATA_SET, type DataCase, type DataRun, findPerson, listResults, listUntested } from './data-set.ts'
import { type FakeAnswer, type FakeLists, type FakeTool, json, PAGE_SIZE, startFakeTool } from './fake-tool.ts'

export const TESTRAIL_USER = 'ada@example.com'
export const TESTRAIL_KEY = 'testrail-key-7c1f'

const STATUS_IDS = { passed: 1, blocked: 2, failed: 5, known_issue: 6, in_review: 7 } as const
const seconds = (date: Date) => Math.round(date.getTime() / 1000)
const isMaster = DATA_SET.suites.length === 1

const toCase = (testCase: DataCase, position: number) => ({
  id: testCase.id,
  title: testCase.title,
  section_id: testCase.folder,
  suite_id: testCase.suite,
  template_id: 2,
  type_id: 7,
  priority_id: 5 - testCase.priority,
  refs: testCase.reference === '' ? null : testCase.reference,
  estimate: testCase.estimateSeconds === 0 ? null : '1m 30s',
  estimate_forecast: null,
  created_by: testCase.createdBy,
  created_on: seconds(testCase.createdAt),
  updated_by: testCase.createdBy,
  updated_on: seconds(testCase.createdAt),
  display_order: position,
  is_deleted: 0,
  labels: testCase.tags.map((title, id) => ({ id, title })),
  custom_preconds: toPrecondition(testCase),
  custom_severity: testCase.severity === 'Major' ? 2 : 1,
  custom_steps_separated: testCase.steps.map(({ action, data, expected, shared }) =>
    shared === null
      ? { content: data === '' ? action : `${action}\n\nTest data: ${data}`, expected, additional_info: '', refs: '' }
      : { content: '', expected: '', shared_step_id: shared },
  ),
})

/** Tests are numbered within all runs. */
const toTestId = (run: number, testCase: number) => run * 10_000 + testCase

function toRun(run: DataRun, lists: FakeLists) {
  const untested = listUntested(run).length
  const tested = run.cases.length - untested
  return {
    id: run.id,
    name: run.name,
    description: null,
    suite_id: 1,
    plan_id: run.plan,
    milestone_id: run.plan === null ? run.milestone : null,
    config: run.configuration === '' ? null : run.configuration,
    is_completed: true,
    created_on: seconds(run.createdAt),
    completed_on: seconds(run.createdAt) + 86_400,
    created_by: 1,
    refs: null,
    passed_count: run.id === DATA_SET.runs.length ? lists.count('tests', tested) : tested,
    untested_count: untested,
  }
}

/** A text of one test case shows a file that the list of its attachments does not have. */
function toPrecondition({ id, precondition }: (typeof DATA_SET.cases)[number]): string | null {
  if (id === 25) return `${precondition}\n![](index.php?/attachments/get/2)`
  return precondition === '' ? null : precondition
}

const findFiles = (isWanted: (file: (typeof DATA_SET.files)[number]) => boolean) =>
  DATA_SET.files.filter(isWanted).map((file) => ({
    id: file.id,
    name: file.name,
    filename: file.name,
    size: file.bytes.length,
    created_on: seconds(new Date('2024-02-01')),
    ...(file.run === null ? {} : { case_id: file.testCase }),
  }))

/** TestRail: `GET index.php?/api/v2/…`. */
export const startFakeTestrail = (): Promise<FakeTool> =>
  startFakeTool((request, lists) => {
    const authorization = `Basic ${Buffer.from(`${TESTRAIL_USER}:${TESTRAIL_KEY}`).toString('base64')}`
    if (request.headers.authorization !== authorization) return json({ error: 'Authentication failed' }, 401)
    const [, call = '', parameters = ''] = /^\/index\.php\?\/api\/v2\/([^&]*)(.*)$/.exec(request.url) ?? []
    const query = new URLSearchParams(parameters)
    const [name = '', id = ''] = call.split('/')
    return answer({ name, id, query, lists })
  })

interface Call {
  readonly name: string
  readonly id: string
  readonly query: URLSearchParams
  readonly lists: FakeLists
}

function answer({ name, id, query, lists }: Call): FakeAnswer {
  const page = <T>(listName: string, items: readonly T[], inserted: T): FakeAnswer => {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Math.min(PAGE_SIZE, Number(query.get('limit') ?? 250))]
    const part = lists.slice(items, offset, limit, inserted)
    const rest = [...query]
      .filter(([key]) => key !== 'offset' && key !== 'limit')
      .map(([key, value]) => `&${key}=${value}`)
    const next = `/api/v2/${name}/${id}${rest.join('')}&limit=${limit}&offset=${offset + limit}`
    const links = { next: offset + limit < items.length ? next : null, prev: null }
    return json({ offset, limit, size: part.length, _links: links, [listName]: part })
  }
  const whole = (listName: string, items: readonly object[]) => page<object>(listName, items, { id: 999_999 })
  const number = Number(id)
  switch (name) {
    case 'get_project':
      return json({ id: DATA_SET.project.id, name: DATA_SET.project.name, suite_mode: 3 })
    case 'get_suites':
      return json(DATA_SET.suites.map((suite) => ({ ...suite, description: null, is_master: isMaster })))
    case 'get_suite':
      return json(DATA_SET.suites.find((suite) => suite.id === number))
    case 'get_sections': {
      const sections = DATA_SET.folders.filter(({ suite }) => suite === Number(query.get('suite_id')))
      return whole(
        'sections',
        sections.map((folder) => ({
          id: folder.id,
          name: folder.name,
          description: null,
          parent_id: folder.parent,
          suite_id: folder.suite,
          display_order: folder.id,
        })),
      )
    }
    case 'get_cases': {
      const cases = DATA_SET.cases.filter(({ suite }) => suite === Number(query.get('suite_id'))).map(toCase)
      const [first] = cases
      return first === undefined ? json({}) : page('cases', cases, { ...first, id: 999_999, title: 'Inserted' })
    }
    case 'get_case_fields':
      return json([
        {
          id: 1,
          type_id: 6,
          name: 'severity',
          system_name: 'custom_severity',
          label: 'Severity',
          is_active: true,
          configs: [{ context: { is_global: true, project_ids: null }, options: { items: '1, Minor\n2, Major' } }],
        },
      ])
    case 'get_case_types':
      return json([{ id: 7, name: 'Regression' }])
    case 'get_priorities':
      return json(['Low', 'Medium', 'High', 'Critical'].map((each, index) => ({ id: index + 1, name: each })))
    case 'get_templates':
      return json([{ id: 2, name: 'Test Case (Steps)' }])
    case 'get_statuses':
      return json([
        { id: 1, name: 'passed', label: 'Passed' },
        { id: 2, name: 'blocked', label: 'Blocked' },
        { id: 3, name: 'untested', label: 'Untested' },
        { id: 5, name: 'failed', label: 'Failed' },
        { id: 6, name: 'custom_status1', label: 'Known issue' },
        { id: 7, name: 'custom_status2', label: 'In review' },
      ])
    case 'get_users':
      return json(DATA_SET.people.map((person) => ({ ...person, is_active: true })))
    case 'get_shared_steps':
      return whole(
        'shared_steps',
        DATA_SET.sharedSteps.map((shared) => ({
          id: shared.id,
          title: shared.title,
          custom_steps_separated: shared.steps.map(({ action, expected }) => ({ content: action, expected })),
        })),
      )
    case 'get_milestones':
      return whole(
        'milestones',
        DATA_SET.milestones.map((milestone) => ({
          id: milestone.id,
          name: milestone.name,
          description: null,
          parent_id: null,
          milestones: [],
          due_on: seconds(milestone.dueAt),
          is_completed: false,
        })),
      )
    default:
      return answerHistory({ name, id, query, lists }, whole)
  }
}

function answerHistory({ name, id, lists }: Call, whole: (listName: string, items: readonly object[]) => FakeAnswer) {
  const number = Number(id)
  const toPlan = (plan: (typeof DATA_SET.plans)[number]) => ({
    id: plan.id,
    name: plan.name,
    description: null,
    milestone_id: plan.id,
    created_on: seconds(plan.createdAt),
    completed_on: null,
  })
  switch (name) {
    case 'get_plans':
      return whole('plans', DATA_SET.plans.map(toPlan))
    case 'get_plan': {
      const runs = DATA_SET.runs.filter(({ plan }) => plan === number).map((run) => toRun(run, lists))
      const [plan] = DATA_SET.plans.filter((each) => each.id === number).map(toPlan)
      return json({ ...plan, entries: [{ id: `entry-${id}`, name: 'Entry', suite_id: 1, runs }] })
    }
    case 'get_runs':
      return whole(
        'runs',
        DATA_SET.runs.filter(({ plan }) => plan === null).map((run) => toRun(run, lists)),
      )
    case 'get_tests': {
      const run = DATA_SET.runs.find((each) => each.id === number)
      return whole(
        'tests',
        (run?.cases ?? []).map((testCase) => ({ id: toTestId(number, testCase), case_id: testCase, run_id: number })),
      )
    }
    case 'get_results_for_run':
      return whole(
        'results',
        listResults(number)
          .toReversed()
          .map((result) => ({
            id: result.id,
            test_id: toTestId(number, result.testCase),
            status_id: STATUS_IDS[result.status],
            comment: result.comment === '' ? null : result.comment,
            elapsed: `${result.elapsedSeconds}s`,
            defects: result.defects.join(', ') || null,
            version: null,
            created_by: findPerson(result.person).id,
            created_on: seconds(result.at),
          })),
      )
    case 'get_attachments_for_case':
      return whole(
        'attachments',
        findFiles((file) => file.run === null && file.testCase === number),
      )
    case 'get_attachments_for_run':
      return whole(
        'attachments',
        findFiles((file) => file.run === number),
      )
    case 'get_attachment': {
      const file = DATA_SET.files.find((each) => each.id === number)
      return file === undefined
        ? json({ error: 'Not found' }, 404)
        : { type: 'application/octet-stream', body: file.bytes }
    }
    default:
      return json({ error: `Unknown method ${name}` }, 404)
  }
}
