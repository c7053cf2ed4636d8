import { makeProject, makeRun, insertTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useTestServer()

const TEST_CASES = 5000
const FOLDERS = 1000

type Project = Awaited<ReturnType<typeof makeProject>>

/** Makes a project whose test cases are divided among many folders, without requests. */
async function makeProjectWithFolders(): Promise<Project> {
  const project = await makeProject(server)
  await sql`
    insert into folders (project_id, id, name, position)
    select ${project.id}::uuid, uuid_v7_in_batch(now(), n), 'Folder ' || n, n from generate_series(1, ${FOLDERS}::int) n`.execute(
    server.db,
  )
  await insertTestCases(server, project, TEST_CASES)
  await sql`
    update test_cases c set folder_id = f.id from folders f
    where c.project_id = ${project.id} and f.project_id = c.project_id and f.position = 1 + c.number % ${FOLDERS}::int`.execute(
    server.db,
  )
  return project
}

const listIds = ({ prefix }: Project) => Array.from({ length: TEST_CASES }, (_, index) => `${prefix}-${index + 1}`)

const selectFiltered = async (project: Project) => {
  const path = `/v1/projects/${project.id}/test-cases?sort=tree&search=Case&per_page=1`
  const { body } = await server.request<{ meta: unknown }>('GET', path, { token: project.admin.token })
  expect(body.meta).toMatchObject({ total: TEST_CASES })
}

/** Milliseconds of the fastest of three times. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

// Not repeated: the second time, the statistics would be those of the first.
it.each<[string, (project: Project) => Promise<unknown>]>([
  ['creating a run', (project) => makeRun(server, project, { test_case_ids: listIds(project) })],
  ['a filtered list in the order of the folders', selectFiltered],
])(
  '%s does not compare each test case with each folder, also with statistics from before both',
  { retry: 0 },
  async (_title, work) => {
    await sql`analyze`.execute(server.db)
    const project = await makeProjectWithFolders()
    const before = await measure(() => work(project))
    await sql`analyze`.execute(server.db)
    expect(before).toBeLessThan(5 * (await measure(() => work(project))))
  },
)
