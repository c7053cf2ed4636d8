import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { toContentPath } from '@caseward/importers/formats/caseward/read-attachments'
import { type ImportFile, fromPath } from '@caseward/importers/input/import-file'
import { openZip } from '@caseward/importers/input/zip'

import type { Deps } from '../../deps.ts'
import { selectImportFiles } from './imports.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { ImportFailure } from './read-in-worker.ts'
import { downloadFile } from './read-import.ts'

/** The contents of a bundle that is on the disk. */
export interface BundleFiles {
  /** Opens a content; null if the bundle does not have it. */
  open(sha256: string): Readable | null
}

/** Runs something with the contents of the bundle of an import, which is downloaded when the first one is opened. */
export async function withBundleFiles<T>(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  claim: ClaimedImport,
  run: (getFiles: () => Promise<BundleFiles>) => Promise<T>,
): Promise<T> {
  let directory: string | null = null
  let files: ReadonlyMap<string, ImportFile> | null = null
  const getFiles = async (): Promise<BundleFiles> => {
    if (files === null) {
      const [file] = (await selectImportFiles(deps.db, claim.projectId, [claim.id])).get(claim.id) ?? []
      if (file === undefined)
        throw new ImportFailure('file_missing', 'The file of the import is gone. Upload it again.')
      directory = await mkdtemp(join(tmpdir(), 'caseward-import-'))
      const path = join(directory, 'file')
      await downloadFile(deps, claim.projectId, file.file_id, path)
      files = await openZip(await fromPath(path))
    }
    const opened = files
    return {
      open: (sha256) => {
        const content = opened.get(toContentPath(sha256))
        return content === undefined ? null : Readable.from(content.read(), { objectMode: false })
      },
    }
  }
  try {
    return await run(getFiles)
  } finally {
    if (directory !== null) await rm(directory, { recursive: true, force: true })
  }
}
