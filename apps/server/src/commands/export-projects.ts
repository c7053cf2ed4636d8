import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Config } from '../config.ts'
import { openExportSnapshot } from '../features/exports/project/export-snapshot.ts'
import { readProject } from '../features/exports/project/send-project-export.ts'
import { listBundleEntries } from '../features/exports/project/write-bundle.ts'
import { createZipStream } from '../features/exports/project/zip-stream.ts'
import type { Database } from '../platform/database/connect.ts'
import { createOwnFileStore } from '../platform/files/open-file-store.ts'
import type { BackupCommandOptions } from './backup.ts'
import { openServiceDatabase } from './open-service-database.ts'

export const EXPORT_HELP = `  admin export <directory>      writes each project as a bundle, which another server can import`

export interface ExportCommand {
  name: 'export'
  directory: string
}

/** Parses the arguments of the command; returns null when they are those of another one, or wrong. */
export function parseExportCommand([noun, verb, directory, ...others]: readonly string[]): ExportCommand | null {
  if (noun !== 'admin' || verb !== 'export' || directory === undefined || others.length > 0) return null
  return directory === '' || directory.startsWith('-') ? null : { name: verb, directory }
}

/**
 * Exports all projects, one file each. A file that is there already is replaced when the new one is complete.
 * @returns what to print
 * @throws when the database, the file store or the directory is unavailable
 */
export async function runExportCommand(
  config: Config,
  { directory }: ExportCommand,
  { signal, showProgress }: BackupCommandOptions,
): Promise<string> {
  const { db, close } = await openServiceDatabase(config)
  try {
    await mkdir(directory, { recursive: true })
    const projects = await db.selectFrom('projects').select(['id', 'name', 'prefix']).orderBy('id').execute()
    const lines: string[] = []
    for (const [index, project] of projects.entries()) {
      signal.throwIfAborted()
      showProgress(`Exporting ${project.prefix} (${index + 1} of ${projects.length})`)
      // Several projects can have the same prefix.
      const name = `${project.prefix}-${project.id}.caseward.zip`
      await exportProject(db, config, project.id, { path: join(directory, name), signal })
      lines.push(`${name}  ${project.name}`)
    }
    return lines.length === 0 ? 'There is no project.' : lines.join('\n')
  } finally {
    await close()
  }
}

async function exportProject(
  db: Database,
  config: Config,
  projectId: string,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<void> {
  const fileStore = createOwnFileStore(db, config)
  const snapshot = await openExportSnapshot(db)
  const partial = `${path}.part`
  try {
    const project = await readProject(snapshot, projectId)
    const cases = { sql: 'true', values: [], isAll: true }
    const choice = { cases, hasRuns: true, hasFiles: true, hasEmails: true }
    const exportedAt = new Date()
    const entries = listBundleEntries({ deps: { db, fileStore }, snapshot, project, choice, exportedAt })
    await pipeline(createZipStream(entries, exportedAt), createWriteStream(partial, { mode: 0o600 }), { signal })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await snapshot.close()
  }
}
