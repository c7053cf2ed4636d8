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
}

/** Starts an S3-compatible server for one test. It keeps objects in a directory, and knows no abort of an upload in parts. */
export async function startS3Server(): Promise<S3Server> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await createTemporaryDirectory(),
    configureBuckets: [{ name: 'caseward', configs: [] }],
  })
  const { port } = await server.run()
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await server.close()
    isStopped = true
  }
  onTestFinished(stop)
  return { bucketUrl: `http://127.0.0.1:${port}/caseward`, stop }
}
