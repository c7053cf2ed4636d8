import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { MAX_SOURCE_LENGTH } from '@caseward/contract/import-settings'
import { describeLoss } from '@caseward/importers/describe-loss'
import type { StagedBatch } from '@caseward/importers/staged-batch'

import type { Deps } from '../../deps.ts'
import { openContent } from '../files/read-content.ts'
import { selectFile } from '../files/files.queries.ts'
import { deleteRecords, insertRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { type ImportRow, selectEarlierSettings, selectImportFiles, updateImport } from './imports.queries.ts'
import { ImportFailure, readInWorker } from './read-in-worker.ts'

/** Names of tools, as a source is called without a better name. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  testrail: 'TestRail',
  qase: 'Qase',
  'zephyr-scale': 'Zephyr Scale',
  'zephyr-squad': 'Zephyr Squad',
  xray: 'Xray',
  testlink: 'TestLink',
  testmo: 'Testmo',
  kiwi: 'Kiwi TCMS',
  practitest: 'PractiTest',
  azure: 'Azure Test Plans',
  qtest: 'qTest',
  testplanit: 'TestPlanIt',
  testcaselab: 'TestCaseLab',
  squash: 'Squash',
  testomat: 'Testomat',
  gherkin: 'Gherkin',
  markdown: 'Markdown',
  sheet: 'Sheet',
  caseward: 'Caseward',
}

/**
 * Reads the file of an import into its records. Begins again if a server ended meanwhile.
 * @throws {ImportFailure} for a file that cannot be read
 */
export async function readImport(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  work: ImportWork,
  row: ImportRow,
): Promise<void> {
  const { db } = deps
  const { claim } = work
  const [file] = (await selectImportFiles(db, claim.projectId, [claim.id])).get(claim.id) ?? []
  if (file === undefined) throw new ImportFailure('file_missing', 'The file of the import is gone. Upload it again.')
  await deleteRecords(db, claim)
  const directory = await mkdtemp(join(tmpdir(), 'caseward-import-'))
  try {
    const path = join(directory, 'file')
    await downloadFile(deps, claim.projectId, file.file_id, path)
    let seq = 0
    const { encoding, project } = row.settings
    const options = { path, name: file.name, choices: { ...(encoding && { encoding }), ...(project && { project }) } }
    const store = async (batch: StagedBatch) => {
      const after = seq
      seq += batch.count
      await db.transaction().execute(async (tx) => {
        await work.keep(tx, { stage: 'reading', done: seq, total: 0 })
        await insertRecords(tx, claim, batch, after)
      })
    }
    const end = await readInWorker(options, store, work.signal)
    const { found } = end
    const own = found.own?.source.slice(0, MAX_SOURCE_LENGTH) || undefined
    const source = row.settings.source ?? row.source ?? own ?? SYSTEM_NAMES[end.system] ?? end.system
    const earlier = await selectEarlierSettings(db, claim.projectId, { system: end.system, source })
    // The last import of the source was of another project of such a file: that one is read instead.
    const projects = end.questions.find(({ id }) => id === 'project')?.options ?? []
    const isOther = project === undefined && earlier.project !== undefined && projects.includes(earlier.project)
    await updateImport(db, claim.projectId, claim.id, {
      state: isOther ? 'reading' : 'planning',
      system: end.system,
      format: end.format,
      source,
      settings: { ...earlier, ...row.settings },
      reading: {
        ...found,
        encoding: end.encoding,
        questions: end.questions,
        // The plan knows the test cases of earlier imports, too.
        losses: end.losses
          .filter(({ code }) => code !== 'result_without_case')
          .map(({ code, count, examples }) => ({
            code,
            count,
            sentence: describeLoss(code),
            examples: examples.map(({ key = null, title = '', place = '' }) => ({ key, title, place })),
          })),
      },
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Brings the file of an import onto the disk. @throws {ImportFailure} if it is gone */
export async function downloadFile(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  projectId: string,
  fileId: string,
  path: string,
): Promise<void> {
  const stored = await selectFile(deps.db, projectId, fileId)
  if (stored === null) throw new ImportFailure('file_missing', 'The file of the import is gone. Upload it again.')
  await pipeline(await openContent(deps, projectId, stored), createWriteStream(path))
}
