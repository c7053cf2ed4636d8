// Finds the server's tests that use the database, for the commands that run them on another PostgreSQL.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const testSupport = join(root, 'packages/test-support/src')

/** Tests of the process and of other programs (the command, Redis, a browser), to which the version does not matter. */
const independentOfDatabase = [
  'apps/server/src/main.test.ts',
  'apps/server/src/platform/logging/log.test.ts',
  'apps/server/src/shutdown.test.ts',
  'apps/server/src/platform/database/outage.test.ts',
  'apps/server/test/process/dev.test.ts',
  'packages/test-support/src/caseward-command.ts',
  'packages/test-support/src/programs.ts',
]

const shortDirectories = ['src/platform/database', 'test/api', 'test/permissions', 'test/spec']

/**
 * Lists the tests that import the test database, directly or indirectly.
 * @param {{ isShort: boolean }} options whether only those are listed that send a request to every route, and those of
 *   migrations and statements
 */
export function listDatabaseTests({ isShort }) {
  const server = join(root, 'apps/server')
  const importsDatabase = createImportCheck(join(testSupport, 'database.ts'))
  const importsOther = independentOfDatabase.map((file) => createImportCheck(join(root, file)))
  return (isShort ? shortDirectories : ['src', 'test'])
    .flatMap((directory) =>
      readdirSync(join(server, directory), { recursive: true }).map((file) => join(server, directory, file)),
    )
    .filter(
      (file) => file.endsWith('.test.ts') && importsDatabase(file) && !importsOther.some((imports) => imports(file)),
    )
    .map((file) => relative(root, file))
}

/** Creates a function that returns whether a file is the target or imports it, directly or indirectly. */
function createImportCheck(target) {
  const results = new Map([[target, true]])
  return function importsTarget(file) {
    if (!results.has(file)) {
      results.set(file, false) // ends the recursion of a circular import
      const text = readFileSync(file, 'utf8')
      const imports = [
        ...[...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) => resolve(dirname(file), path)),
        ...[...text.matchAll(/from '@caseward\/test-support\/([^']+)'/g)].map(([, name]) =>
          join(testSupport, `${name}.ts`),
        ),
      ]
      results.set(file, imports.some(importsTarget))
    }
    return results.get(file)
  }
}
