import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Connection } from '@caseward/embedded-postgres'
import S3rver from 's3rver'

import { observe } from './file-loads.ts'
import type { SeededProject } from './seed.ts'
import { createStream, repeat, sendFile } from './send-files.ts'
import { type Server, startCaseward, TOKEN } from './servers.ts'

const LARGE_BYTES = 32 * 1024 * 1024
const LARGE_COUNT = 32

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' }

/** 32 bodies of 32 MB at the same time: the memory that they add. Those for which there is no room try again. */
export async function observeParallelBodies(caseward: Server, { runId }: SeededProject): Promise<number> {
  const url = `${caseward.url}/v1/runs/${runId}/attachments?name=core.dump`
  const send = async () => {
    for (;;) {
      const { status, retryAfterSeconds } = await sendFile({
        url,
        method: 'POST',
        body: createStream(LARGE_BYTES),
        byteCount: LARGE_BYTES,
        headers,
      }).catch(() => ({ status: 503, retryAfterSeconds: 1 }))
      if (status === 201) return
      if (status !== 503) throw new Error(`A body of 32 MB was answered with ${status}`)
      await sleep(retryAfterSeconds * 1000)
    }
  }
  const { addedMb } = await observe(caseward, () => repeat(LARGE_COUNT, LARGE_COUNT, send))
  return addedMb
}

/** The same with a service that keeps files in a bucket, on a server in this process. */
export async function observeParallelBodiesInS3(
  connection: Connection,
  seeded: SeededProject,
  filesDir: string,
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-bench-s3-'))
  const bucket = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'caseward', configs: [] }],
  })
  const { port } = await bucket.run()
  const caseward = await startCaseward(connection, [], {
    FILES_DIR: filesDir,
    S3_BUCKET_URL: `http://127.0.0.1:${port}/caseward`,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
  try {
    return await observeParallelBodies(caseward, seeded)
  } finally {
    await caseward.close()
    await bucket.close()
    await rm(directory, { recursive: true, force: true })
  }
}
