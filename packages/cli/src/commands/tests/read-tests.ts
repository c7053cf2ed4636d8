import { listRunTests, listTests, type ProjectTest, type RunTest } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../connect.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { MAX_LINES } from '../../limit-lines.ts'
import type { Setting } from '../../settings.ts'

/** The largest page that the server returns. */
const PAGE_SIZE = 500

/** Which tests to read: those of a run, or of a project with their latest outcome. */
export type TestSource =
  | { readonly kind: 'run'; readonly run: Setting; readonly search?: string | undefined; readonly unmatched: boolean }
  | {
      readonly kind: 'project'
      readonly projectId: string
      readonly project: Setting | null
      readonly search?: string | undefined
      readonly unmatched: boolean
      /** Read only tests that are so reliable, those with most evidence first. */
      readonly stability?: 'flaky' | 'broken' | undefined
    }

interface TestPage {
  readonly data: readonly (RunTest | ProjectTest)[]
  readonly meta: { readonly next_after: string | null; readonly total: number }
}

/** Tests, and how many there are; 10,000 means 10,000 or more. */
export interface TestList {
  readonly tests: readonly (RunTest | ProjectTest)[]
  readonly total: number
}

/** Reads all tests, or only as many as are printed. */
export async function readTests(
  source: TestSource,
  connection: Connection,
  extent: 'all' | 'printed',
): Promise<TestList> {
  const tests: (RunTest | ProjectTest)[] = []
  const perPage = extent === 'all' ? PAGE_SIZE : MAX_LINES
  let after: string | undefined
  for (;;) {
    const { data, meta } = await readPage(source, { after, per_page: perPage }, connection)
    tests.push(...data)
    if (extent === 'printed' || meta.next_after === null) {
      return { tests, total: extent === 'all' ? tests.length : meta.total }
    }
    after = meta.next_after
  }
}

async function readPage(
  source: TestSource,
  page: { after: string | undefined; per_page: number },
  connection: Connection,
): Promise<TestPage> {
  const feature: RequestSubject = { feature: 'tests' }
  const query = { ...page, search: source.search }
  if (source.kind === 'run') {
    const reply = await connection.client.call(listRunTests, {
      params: { run_id: source.run.value },
      query: { ...query, ...(source.unmatched ? { matched: false } : {}) },
    })
    return expectSuccess(reply, connection, { ...feature, run: source.run }).data
  }
  const reply = await connection.client.call(listTests, {
    params: { project_id: source.projectId },
    query: {
      ...query,
      ...(source.unmatched ? { linked: false } : {}),
      ...(source.stability === undefined
        ? {}
        : { stability: source.stability, fields: 'stability' as const, sort: 'score' as const }),
    },
  })
  return expectSuccess(reply, connection, { ...feature, project: source.project ?? undefined }).data
}
