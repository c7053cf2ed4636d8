import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it, type TestContext } from 'vitest'

import { ADMIN_TOKEN, type CasewardProcess, startCaseward } from '@caseward/test-support/caseward-process'
import { readPostmasterPid } from '@caseward/test-support/embedded-postgres'
import { sendRequest } from '@caseward/test-support/send-request'
import { fillDisk, fillUp, mountSmallDisk } from '@caseward/test-support/small-disk'

const FULL = { status: 'the disk of the database is full' }
const READY = { status: 'ready' }

async function startOnSmallDisk(context: TestContext) {
  const disk = await mountSmallDisk(context, 150)
  const dataDir = join(disk, 'data')
  const caseward = await startCaseward({ DATA_DIR: dataDir })
  const created = await caseward.request('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const { data: project } = created.body as { data: { id: string } }
  /** Creates test cases of half a megabyte, which need space for new rows. */
  const write = () => {
    const test_cases = Array.from({ length: 100 }, () => ({
      title: 'A case',
      // PostgreSQL cannot compress random text.
      description: randomBytes(3600).toString('base64'),
    }))
    const options = { token: ADMIN_TOKEN, body: { test_cases } }
    return sendRequest(caseward.url, 'POST', `/v1/projects/${project.id}/test-cases/bulk`, options)
  }
  return { disk, dataDir, caseward, write }
}

const getReadiness = (caseward: CasewardProcess) => caseward.request('GET', '/readyz')

const findErrors = (caseward: CasewardProcess, text: string) =>
  caseward.log().filter((line) => line.startsWith('{"level":50') && line.includes(text))

/** Waits for the log, whose lines are written twice a second. */
async function waitForError(caseward: CasewardProcess, text: string): Promise<void> {
  await expect.poll(() => findErrors(caseward, text)).not.toEqual([])
}

describe('a full disk of the embedded database', () => {
  it('is named by writes, the log and /readyz until a write succeeds again', async (context) => {
    const { disk, caseward, write } = await startOnSmallDisk(context)
    const filler = await fillDisk(disk)
    expect(await getReadiness(caseward)).toMatchObject({ status: 200, body: READY })

    const response = await write()
    expect(response).toMatchObject({ status: 503, body: { code: 'database_disk_full' } })
    expect(response.headers.get('retry-after')).toBe('2')
    await waitForError(caseward, 'the disk of the database is full')
    for (const times of [1, 2]) {
      expect([times, await getReadiness(caseward)]).toEqual([times, { status: 503, body: FULL }])
    }
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })

    await rm(filler)
    expect(await getReadiness(caseward)).toMatchObject({ status: 200, body: READY })
    expect(await write()).toMatchObject({ status: 201 })
    expect(await getReadiness(caseward)).toMatchObject({ status: 200, body: READY })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })

  it('is named by the log and /readyz when PostgreSQL cannot be restarted for that reason', async (context) => {
    const { disk, dataDir, caseward, write } = await startOnSmallDisk(context)
    const filler = await fillDisk(disk)
    process.kill(await readPostmasterPid(join(dataDir, 'postgres')), 'SIGKILL')
    const findRestartErrors = async () => {
      await fillUp(filler)
      return findErrors(caseward, 'PostgreSQL did not start again. There is not enough space')
    }
    await expect.poll(findRestartErrors).not.toEqual([])
    expect(await getReadiness(caseward)).toEqual({ status: 503, body: FULL })
    expect(await write()).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })

    await rm(filler)
    await expect.poll(() => getReadiness(caseward)).toEqual({ status: 200, body: READY })
    expect(await write()).toMatchObject({ status: 201 })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})
