import { join } from 'node:path'

import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { onTestFinished } from 'vitest'

/** Starts a service on a database and a directory of its own, with a project and a run to attach files to. */
export async function startWithRun() {
  const directory = await createTemporaryDirectory()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const settings = {
    DATABASE_URL: getDatabaseUrl(connection),
    FILES_DIR: join(directory, 'files'),
    DATA_DIR: directory,
  }
  const service = await startService(settings)
  const create = async (path: string, body: object) =>
    ((await service.request('POST', path, body)).body as { data: { id: string } }).data.id
  const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
  const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
  return { directory, connection, settings, service, projectId, runId }
}
