import { onTestFinished } from 'vitest'
import S3rver from 's3rver'

import { createTemporaryDirectory } from './temporary-directory.ts'

/** The credentials that {@link startS3Server} accepts. */
export const S3_CREDENTIALS = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export interface S3Server {
  /** URL of an empty bucket. */
  bucketUrl: string
  /** Stops the server; it also stops when the test ends. */
  stop(): Promise<void>
  /** Starts the server again, at the same address and with the same objects. */
  start(): Promise<void>
}

/** Starts an S3-compatible server for one test. It keeps objects in a directory, and knows no abort of an upload in parts. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await createTemporaryDirectory()
  let running: S3rver | null = null
  let port = 0
  const start = async () => {
    running = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      configureBuckets: [{ name: 'caseward', configs: [] }],
    })
    port = (await running.run()).port
  }
  const stop = async () => {
    const server = running
    running = null
    await server?.close()
  }
  await start()
  onTestFinished(stop)
  return { bucketUrl: `http://127.0.0.1:${port}/caseward`, stop, start }
}
