import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A file of `migrations/`. */
export interface MigrationFile {
  /** The name of the file without its extension. */
  name: string
  text: string
  /** What runs outside of a transaction, one statement after another; null for a file that is a transaction of its own. */
  statements: readonly string[] | null
}

const directory = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** Reads the migrations of this version, in their order. */
export async function readMigrationFiles(): Promise<MigrationFile[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return await Promise.all(
    files.map(async (file) => parseMigration(file.slice(0, -'.sql'.length), await readFile(directory + file, 'utf8'))),
  )
}

/** The first line of a migration that runs outside of a transaction. */
const NO_TRANSACTION = /^-- no transaction$/m

/** Statements that can be repeated, and that let others read and write meanwhile. */
const CONCURRENT_STATEMENTS = [
  /^create (?:unique )?index concurrently if not exists \w+ on /i,
  /^drop index concurrently if exists \w+$/i,
  /^alter table \w+ validate constraint \w+$/i,
]

/**
 * Parses a migration. One that starts with `-- no transaction` consists of statements that can be repeated after a failure
 * and block no requests.
 * @throws when it contains other statements
 */
export function parseMigration(name: string, text: string): MigrationFile {
  if (!NO_TRANSACTION.test(text.split('\n', 1)[0] ?? '')) return { name, text, statements: null }
  const statements = text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
  const other = statements.find((statement) => CONCURRENT_STATEMENTS.every((pattern) => !pattern.test(statement)))
  if (other !== undefined) throw new Error(`The migration ${name} cannot run outside of a transaction: ${other}`)
  return { name, text, statements }
}

/** Converts a migration into one that can be a part of a transaction, for a database without users. */
export const toTransactionText = ({ text, statements }: MigrationFile): string =>
  statements === null ? text : text.replaceAll(/ concurrently\b/gi, '')

/** Returns the index that a statement creates concurrently, or undefined. */
export const getConcurrentIndex = (statement: string): string | undefined =>
  /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1]

/**
 * Returns the first version that works after a migration, which removes what earlier versions use; null if all do. The name
 * says it, because a server of an earlier version knows no more of the migration: `0051_contract_0_2_0_old_keys`.
 */
export function getFirstCompatibleVersion(migrationName: string): string | null {
  const [, ...parts] = /^\d+_contract_(\d+)_(\d+)_(\d+)_/.exec(migrationName) ?? []
  return parts.length === 0 ? null : parts.join('.')
}

/** Compares versions such as `0.2.0`. */
export function isOlderVersion(version: string, other: string): boolean {
  const [parts, otherParts] = [version, other].map((text) => text.split(/[.-]/, 3).map(Number))
  const index = parts?.findIndex((part, position) => part !== otherParts?.[position]) ?? -1
  return index >= 0 && (parts?.[index] ?? 0) < (otherParts?.[index] ?? 0)
}
