import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Connection } from '@caseward/embedded-postgres'
import type pg from 'pg'

import { compareDeclaring } from './declared-files.ts'
import { comparePartsOf1Gb, comparePictures, compareServing, PICTURES_PER_ROUND } from './file-loads.ts'
import { boundFigure, controlledFigure, type Figure, rateFigure, timeFigure, volumeFigure } from './figures.ts'
import { observeParallelBodies, observeParallelBodiesInS3 } from './parallel-bodies.ts'
import { compareReportersWithFiles } from './reporters.ts'
import { seedRun, type SeededProject } from './seed.ts'
import { startBareFiles, startCaseward } from './servers.ts'
import { observeSweep } from './sweep.ts'

const REPORTER_ROUNDS = 5

interface EvidenceBench {
  connection: Connection
  client: pg.Client
  small: SeededProject
}

/**
 * Files of results. It runs last: with its first file, the database belongs to the directory of this part, which is removed.
 */
export async function measureEvidence({ connection, client, small }: EvidenceBench): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-bench-files-'))
  const filesDir = join(directory, 'files')
  const caseward = await startCaseward(connection, [], { FILES_DIR: filesDir, FILE_LIMIT_MB: '2048' })
  const bare = await startBareFiles(connection, join(directory, 'bare'))
  try {
    const seeded = { ...small, runId: await seedRun(client, small.projectId) }
    const servers = { caseward, bare, seeded }
    // Memory first: what other figures have used is not given back.
    const parts = await comparePartsOf1Gb(servers)
    const bodiesMb = await observeParallelBodies(caseward, seeded)
    const bodiesInS3Mb = await observeParallelBodiesInS3(connection, seeded, filesDir)
    const pictures = await comparePictures(servers)
    if (pictures.picture === undefined) throw new Error('No picture was stored')
    const serving = await compareServing(servers, pictures.picture)
    const reporters = await compareReportersWithFiles(caseward, seeded, REPORTER_ROUNDS)
    const { times, lists } = await compareDeclaring(client, caseward, small)
    const sweep = await observeSweep(connection, client, { server: caseward, runId: seeded.runId, filesDir })
    const write = 'reference: a bare server that hashes, writes and waits for the disk'
    const store = 'reference: a bare server that hashes, writes, waits for the disk and inserts a row'
    const readRun = 'reference: GET /v1/runs/:rid'
    return [
      rateFigure(`12. Storing 1,000 pictures of 200 KB; ${store}`, pictures.stored, pictures.written, 0.5),
      rateFigure(
        `12. Declaring 1,000 pictures that are stored, in uploads of ${PICTURES_PER_ROUND} tests; ${readRun}`,
        pictures.declared,
        pictures.read,
        0.5,
      ),
      rateFigure(
        '12. Attaching 1,000 pictures that are stored one by one; reference: the bare server, a few bytes for each',
        pictures.attached,
        pictures.appended,
        0.5,
      ),
      volumeFigure(`12. 1 GB in parts; ${write}`, parts.rate, parts.bareRate, 0.3),
      boundFigure('12. Memory that 1 GB in parts adds', parts.addedMb, 40, 'MB'),
      controlledFigure(
        '12. Event loop blocked by 1 GB in parts, longer than the bare server',
        parts.blockedMs,
        parts.bareBlockedMs,
        25,
      ),
      boundFigure('12. Memory that 32 bodies of 32 MB at the same time add', bodiesMb, 60, 'MB'),
      boundFigure('12. Memory that 32 bodies of 32 MB at the same time add, with a bucket', bodiesInS3Mb, 600, 'MB'),
      rateFigure('12. Serving pictures of 200 KB; reference: @fastify/static', serving.content, serving.static, 0.5),
      rateFigure(`12. Answering 304 for a picture; ${readRun}`, serving.notModified, serving.read, 0.7),
      timeFigure(
        '12. Upload of 10,000 tests, of which 100 declare 3 files each; reference: without files',
        times.declaring,
        times.plain,
        1.15,
      ),
      boundFigure(
        '12. What 300 files of 100 failures add to the reporter of 1,000 tests before they are sent',
        reporters.addedMs,
        500,
        'ms',
      ),
      boundFigure(
        '12. Processor time that 300 files of 100 failures add to the reporter of 1,000 tests before they are sent',
        reporters.addedCpuMs,
        500,
        'ms',
      ),
      rateFigure(
        '12. Rows of results with counts of attachments; reference: without',
        lists.measured,
        // As the ratio of each second.
        lists.measured * lists.ratio,
        0.98,
      ),
      boundFigure('12. Sweep of 10,000 of 1,000,000 files', sweep.seconds, 60, 's'),
      boundFigure('12. Memory that the sweep adds', sweep.addedMb, 100, 'MB'),
      timeFigure(
        '12. Requests during the sweep, 99th percentile; reference: before it',
        sweep.busyMs,
        sweep.quietMs,
        1.2,
      ),
    ]
  } finally {
    await caseward.close()
    await bare.close()
    await rm(directory, { recursive: true, force: true })
  }
}
