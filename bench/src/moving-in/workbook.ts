import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { boundFigure, type Figure } from '../figures.ts'
import { createWorkbook } from './sources.ts'

const ROWS = 50_000

/** Reading a workbook in a process of its own, with the steps of its cells. */
export async function measureWorkbook(directory: string): Promise<Figure[]> {
  const { name, content } = await createWorkbook(ROWS)
  const path = join(directory, name)
  await writeFile(path, content)
  const child = fork(fileURLToPath(new URL('read-workbook.js', import.meta.url)), [path])
  const [read] = (await once(child, 'message')) as [{ cases: number; seconds: number; addedMb: number }]
  if (read.cases !== ROWS) throw new Error(`${read.cases} test cases were read`)
  const what = `15. Reading a workbook of ${ROWS.toLocaleString('en')} rows`
  return [boundFigure(what, read.seconds, 5, 's'), boundFigure(`${what}: memory`, read.addedMb, 120, 'MB')]
}
