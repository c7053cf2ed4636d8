import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import type { Figure } from '../figures.ts'
import { startCaseward, startPostgres } from '../servers.ts'
import { measureAliases } from './aliases.ts'
import { measureCases } from './cases.ts'
import { measureCommand } from './command.ts'
import { measureHistory, measureSizes } from './sizes.ts'
import { measureWorkbook } from './workbook.ts'

const RUNS = 50
const LARGE_RUNS = 500

/**
 * Imports and exports. It has a database of its own: a database belongs to one directory of files.
 * @param isLarge whether 100,000 test cases and 1,000,000 results are measured as well, which takes several minutes
 */
export async function measureMovingIn(isLarge: boolean, printLine: (text: string) => void): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-bench-moving-in-'))
  const filesDir = join(directory, 'files')
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  const { connection } = postgres
  const caseward = await startCaseward(connection, [], { FILES_DIR: filesDir, FILE_LIMIT_MB: '2048' })
  await client.connect()
  const figures: Figure[] = []
  const add = async (name: string, work: () => Promise<Figure[]>) => {
    printLine(`moving-in: ${name}`)
    figures.push(...(await work()))
  }
  try {
    await add('test cases', () => measureCases(client, caseward))
    await add('the command', () => measureCommand(client, caseward))
    await add('a workbook', () => measureWorkbook(directory))
    await add('ids of other tools', () => measureAliases(client, caseward))
  } finally {
    await caseward.close()
  }
  try {
    const settings = { connection, client, filesDir }
    await add('sizes', () => measureSizes(settings, isLarge ? undefined : [1000, 10_000]))
    await add('history', () => measureHistory(settings, isLarge ? LARGE_RUNS : RUNS))
    return figures
  } finally {
    await client.end()
    await postgres.close()
    await rm(directory, { recursive: true, force: true })
  }
}
