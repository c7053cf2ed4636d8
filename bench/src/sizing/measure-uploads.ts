import type pg from 'pg'

import { percentile95 } from '../measure.ts'
import { seedRun } from '../seed.ts'
import type { Server } from '../servers.ts'
import { createJUnitReport, upload } from '../uploads.ts'
import type { Filled } from './fill-database.ts'

/** Build machines that upload at the same time. */
const CONCURRENCY = 4

export interface UploadRate {
  uploadsPerMinute: number
  p95Ms: number
}

/** Uploads JUnit reports of one size into runs that exist, several at a time. */
export async function measureUploads(
  server: Server,
  client: pg.Client,
  { projectId, token }: Filled,
  size: number,
  seconds: number,
): Promise<UploadRate> {
  const runIds: string[] = []
  while (runIds.length < CONCURRENCY) runIds.push(await seedRun(client, projectId))
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let round = 0
  await Promise.all(
    runIds.map(async (runId) => {
      while (performance.now() < end) {
        round += 1
        const report = createJUnitReport(size, round)
        const sentAt = performance.now()
        await upload(server, token, report, `?run_id=${runId}`)
        times.push(performance.now() - sentAt)
      }
    }),
  )
  const minutes = (performance.now() - start) / 60_000
  return { uploadsPerMinute: times.length / minutes, p95Ms: percentile95(times) }
}
