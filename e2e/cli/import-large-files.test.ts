import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import {
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { type FakeAnswer, json, startFakeTool } from '@caseward/test-support/fake-tools/fake-tool'
import { watchMemory } from '@caseward/test-support/process-memory'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, it, onTestFinished } from 'vitest'

const caseward = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))

const MB = 1_048_576
const PIECE = Buffer.alloc(MB, 'a line of a recording\n')
/** Sizes of files in MB: in one request, in a few parts and in many; each belongs to a test case of its own. */
const FEW = [8, 8, 8, 8, 20, 20, 20, 20]
const MANY = [...Array.from({ length: 60 }, () => 8), ...Array.from({ length: 9 }, () => 60), 1030]
/** What 2 GB may add to the memory that 112 MB take: four requests run at once for both. */
const MAX_GROWTH_MB = 60

/** A file differs from others in each of its pieces. */
function* listPieces(id: number, sizeMb: number): Generator<Buffer> {
  for (let number = 0; number < sizeMb; number += 1) {
    const piece = Buffer.from(PIECE)
    piece.write(`${id} ${number} `)
    yield piece
  }
}

function hash(id: number, sizeMb: number): string {
  const digest = createHash('sha256')
  for (const piece of listPieces(id, sizeMb)) digest.update(piece)
  return digest.digest('hex')
}

/** TestRail with one file at each test case. */
function startTestrail(sizes: readonly number[]) {
  const list = (name: string, items: readonly object[]): FakeAnswer =>
    json({ offset: 0, limit: 250, size: items.length, _links: { next: null }, [name]: items })
  return startFakeTool(({ url }) => {
    const [, name = '', id = ''] = /\/api\/v2\/get_(\w+)\/?(\d*)/.exec(url) ?? []
    const number = Number(id)
    const sizeMb = sizes[number - 1] ?? 0
    switch (name) {
      case 'project':
        return json({ id: 3, name: 'Web shop', suite_mode: 1 })
      case 'suites':
        return json([{ id: 1, name: 'Master', description: null, is_master: true }])
      case 'case_fields':
      case 'case_types':
      case 'priorities':
      case 'templates':
      case 'statuses':
      case 'users':
        return json([])
      case 'cases':
        return list(
          name,
          sizes.map((_, index) => ({ id: index + 1, title: `Pay in way ${index + 1}`, suite_id: 1, section_id: null })),
        )
      case 'attachments_for_case':
        return list('attachments', [{ id: number, name: `recording-${number}.log`, size: sizeMb * MB }])
      case 'attachment':
        return {
          type: 'application/octet-stream',
          body: { byteCount: sizeMb * MB, listPieces: () => listPieces(number, sizeMb) },
        }
      default:
        return list(name, [])
    }
  })
}

async function startService() {
  const directory = await createTemporaryDirectory()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  return await startCaseward({
    DATABASE_URL: getDatabaseUrl(connection),
    DATA_DIR: directory,
    FILES_DIR: join(directory, 'files'),
    FILE_LIMIT_MB: '2048',
    LOG_LEVEL: 'error',
  })
}

/** Writes the most memory of a process into a file when it ends. */
const RECORDER = `import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS / 1024)))`

/** Imports files of these sizes into a project of its own, and compares what the service has of them. */
async function importFiles(service: CasewardProcess, prefix: string, sizes: readonly number[]) {
  const directory = await createTemporaryDirectory()
  const tool = await startTestrail(sizes)
  onTestFinished(() => tool.close())
  const created = await service.request('POST', '/v1/projects', { name: prefix, prefix })
  const { id: projectId } = (created.body as { data: { id: string } }).data
  const source = ['--url', tool.url, '--user', 'ada@example.com', '--project', '3']
  const peakFile = join(directory, 'peak.txt')
  const memory = await watchMemory(service.pid)
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`
  const child = spawn(
    process.execPath,
    ['--import', recorder, caseward, 'import', 'testrail', ...source, '--yes', '--json'],
    {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        PEAK_FILE: peakFile,
        SERVICE_URL: service.url,
        SERVICE_TOKEN: ADMIN_TOKEN,
        SERVICE_PROJECT_ID: projectId,
        TESTRAIL_API_KEY: 'key',
      },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect([exitCode, stderr]).toEqual([0, expect.any(String)])
  expect(JSON.parse(stdout)).toMatchObject({ state: 'done', files: { count: sizes.length, failures: [] } })
  const serviceMb = (await memory.readPeakMb()) - memory.startMb
  for (const [index, sizeMb] of sizes.entries()) {
    const path = `/v1/projects/${projectId}/test-cases/${prefix}-${index + 1}/attachments`
    const sha256 = hash(index + 1, sizeMb)
    expect(await service.request('GET', path)).toMatchObject({
      body: { data: [{ name: `recording-${index + 1}.log`, sha256, byte_count: sizeMb * MB }] },
    })
  }
  return { commandMb: Number(await readFile(peakFile, 'utf8')), serviceMb }
}

it(
  'the command imports 2 GB of attachments in the memory that 112 MB take, as does the service, and each has its digest',
  { timeout: 900_000 },
  async () => {
    const service = await startService()
    const few = await importFiles(service, 'FEW', FEW)
    const many = await importFiles(service, 'MANY', MANY)
    process.stdout.write(`Memory for 112 MB and 2 GB of attachments: ${JSON.stringify({ few, many })}\n`)
    expect(many.commandMb - few.commandMb).toBeLessThan(MAX_GROWTH_MB)
    expect(many.serviceMb).toBeLessThan(MAX_GROWTH_MB)
  },
)
