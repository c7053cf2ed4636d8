import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { copyDirectory, readPostmasterPid } from '@caseward/test-support/embedded-postgres'
import { createStoppedService, startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let template: string
beforeAll(async () => {
  template = await createStoppedService()
})
afterAll(() => rm(template, { recursive: true, force: true }))

describe('the log', () => {
  it('contains no warning after a shutdown', async () => {
    const directory = await createTemporaryDirectory()
    const caseward = await startService({
      DATA_DIR: await copyDirectory(join(template, 'data'), join(directory, 'data')),
    })
    // Uses all connections: the more are open, the likelier PostgreSQL closes one before the pool does.
    await Promise.all(Array.from({ length: 50 }, () => caseward.request('GET', '/v1/projects')))
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().filter((line) => (JSON.parse(line) as { level: number }).level >= 40)).toEqual([])
  })

  it('contains the process id of an embedded PostgreSQL that died', async () => {
    const directory = await createTemporaryDirectory()
    const dataDir = await copyDirectory(join(template, 'data'), join(directory, 'data'))
    const caseward = await startService({ DATA_DIR: dataDir })
    const postgresPid = await readPostmasterPid(join(dataDir, 'postgres'))
    process.kill(postgresPid, 'SIGKILL')
    const findWarning = () => caseward.log().find((line) => line.includes('starting it again')) ?? ''
    await expect.poll(findWarning).not.toBe('')
    expect(findWarning().match(/"pid":/g)).toHaveLength(1)
    expect(JSON.parse(findWarning())).toMatchObject({ postgresPid })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})
