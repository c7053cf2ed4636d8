import type { Config } from '../config.ts'
import { selectLocations } from '../features/files/check-files.queries.ts'
import { type FileCheck, verifyFiles } from '../features/files/verify-files.ts'
import { createOwnFileStore } from '../platform/files/open-file-store.ts'
import type { BackupCommandOptions } from './backup.ts'
import { listNames } from './list-names.ts'
import { openServiceDatabase } from './open-service-database.ts'

export const VERIFY_FILES_HELP = `  admin verify-files            compares attached files with the contents of the file store; exit code 2 if some are missing
  admin verify-files --digest   reads each content, too, and compares it with its SHA-256
  admin verify-files --delete-unknown  removes contents that no file knows`

export interface VerifyFilesCommand {
  name: 'verify-files'
  readsContents: boolean
  deletesUnknown: boolean
}

const OPTIONS: ReadonlySet<string> = new Set(['--digest', '--delete-unknown'])

/** Parses the arguments of the command; returns null when they are those of another one, or wrong. */
export function parseVerifyFilesCommand([noun, verb, ...options]: readonly string[]): VerifyFilesCommand | null {
  if (noun !== 'admin' || verb !== 'verify-files' || options.some((option) => !OPTIONS.has(option))) return null
  return {
    name: verb,
    readsContents: options.includes('--digest'),
    deletesUnknown: options.includes('--delete-unknown'),
  }
}

/**
 * Checks the files of the service.
 * @returns what to print, and whether all contents are there and undamaged
 * @throws {FileStoreError} when the store is unavailable, or that of another database
 */
export async function runVerifyFilesCommand(
  config: Config,
  { readsContents, deletesUnknown }: VerifyFilesCommand,
  options: BackupCommandOptions,
): Promise<{ text: string; isIntact: boolean }> {
  const { db, close } = await openServiceDatabase(config)
  try {
    const fileStore = createOwnFileStore(db, config)
    const texts: string[] = []
    let isIntact = true
    const stores = new Set((await fileStore.getAll()).stores)
    for (const location of await selectLocations(db)) stores.add(await fileStore.getAt(location))
    for (const store of stores) {
      const check = await verifyFiles(db, store, { readsContents, deletesUnknown, ...options })
      texts.push(describeCheck(check, store.description, { readsContents, deletesUnknown }))
      if (check.missing.length + check.damaged.length > 0) isIntact = false
    }
    if (texts.length === 0) texts.push('No file has been stored.')
    return { text: texts.join('\n'), isIntact }
  } finally {
    await close()
  }
}

function describeCheck(
  { fileCount, missing, damaged, unknown }: FileCheck,
  store: string,
  { readsContents, deletesUnknown }: Omit<VerifyFilesCommand, 'name'>,
): string {
  const count = (number: number) => number.toLocaleString('en')
  const found = [
    `${count(missing.length)} missing`,
    readsContents ? `${count(damaged.length)} damaged` : 'not compared with their SHA-256',
    `${count(unknown.length)} unknown${deletesUnknown && unknown.length > 0 ? ', removed' : ''}`,
  ]
  return [
    `${count(fileCount)} ${fileCount === 1 ? 'file' : 'files'} in ${store}: ${found.join(', ')}.`,
    ...listNames('Missing', missing),
    ...listNames('Damaged', damaged),
    ...listNames(deletesUnknown ? 'Removed' : 'Unknown', unknown),
  ].join('\n')
}
