import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { onTestFinished } from 'vitest'

import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from './caseward-process.ts'
import { cloneDatabase } from './database.ts'
import { query } from './query.ts'

interface ImportState {
  state: string
  plan: string
  proof: unknown
  error: unknown
}

const MAX_STARTS = 5

/** Starts a service that is killed and started again, with a database and a file store of its own, for the test that runs. */
export async function startKilledService() {
  const database = await cloneDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'caseward-killed-import-'))
  // After the servers, which are registered later, have ended.
  onTestFinished(async () => {
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  })
  const start = async () => {
    // A file store belongs to one database.
    const settings = { DATABASE_URL: getDatabaseUrl(database.connection), DATA_DIR: directory }
    for (let attempt = 1; ; attempt += 1) {
      const started = await startCaseward(settings)
      if (started.url !== '') return started
      // On a busy machine, the database answers late right after a kill. Whatever starts services starts them again.
      if (attempt === MAX_STARTS || !started.stderr().includes('timeout expired')) throw new Error(started.stderr())
    }
  }
  let caseward = await start()

  async function request(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(`${caseward.url}/v1/projects${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body === undefined ? { body: '{}' } : { body: isBytes ? body : JSON.stringify(body) }),
      ...(method === 'GET' ? { body: null } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const call = async <T>(...[method, path, body, headers]: Parameters<typeof request>): Promise<T> =>
    ((await (await request(method, path, body, headers)).json()) as { data: T }).data
  const readRows = async (sql: string) => await query(database.connection, sql)
  const countRows = async (sql: string) => (await readRows(sql)).length

  return {
    request,
    call,
    countRows,
    query: readRows,
    /** Creates a project, and begins the import of a file into it. */
    async createImport(bytes: Uint8Array, name: string): Promise<{ project: string; path: string }> {
      const { id: project } = await call<{ id: string }>('POST', '', { name: 'Shop', prefix: 'WEB' })
      const uploads = `/${project}/file-uploads`
      const upload = await call<{ id: string }>('POST', uploads, { byte_count: bytes.length })
      const { file_id } = await call<{ file_id: string }>('PUT', `${uploads}/${upload.id}`, bytes, {
        'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
      })
      const imports = `/${project}/imports`
      const { id } = await call<{ id: string }>('POST', imports, { file_id, name })
      return { project, path: `${imports}/${id}` }
    },
    /** Kills the server as soon as a statement finds a row, and starts another one, to which imports belong at once. */
    async killWhen(sql: string): Promise<void> {
      while ((await countRows(sql)) === 0) await sleep(2)
      caseward.signal('SIGKILL')
      await caseward.ended
      // Instead of waiting until the lease of the killed server has ended.
      await query(database.connection, 'update imports set working_until = now()')
      caseward = await start()
    },
    /** Waits until an import has a state. */
    async waitForState(path: string, state: string): Promise<ImportState> {
      for (;;) {
        const current = await call<ImportState>('GET', path)
        if (current.state === state) return current
        if (current.error !== null) throw new Error(JSON.stringify(current.error))
        await sleep(100)
      }
    },
    /** Ends the server as an administrator does. */
    async stop(): Promise<void> {
      caseward.signal('SIGTERM')
      await caseward.ended
    },
  }
}
