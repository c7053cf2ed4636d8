import { getTest, type ProjectTest } from '@caseward/client/endpoints'
import { normalizeKey } from '@caseward/matching/normalize-key'
import { cutText } from '@caseward/matching/note'

import { CommandError } from '../../command-error.ts'
import { type Connection, expectSuccess } from '../../connect.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { formatTestName } from './format-test.ts'
import { readTests } from './read-tests.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const VARIANT = / \[[^[\]]*\]$/

/**
 * Finds a test by its id, or by suite and name as `tests list` prints them; the name alone and a variant are accepted.
 * @throws {CommandError} when no test fits, or several do
 */
export async function findTest(
  text: string,
  { projectId, project }: { projectId: string; project: Setting | null },
  connection: Connection,
): Promise<Pick<ProjectTest, 'id'>> {
  if (UUID.test(text)) {
    const params = { project_id: projectId, test_id: text }
    return expectSuccess(await connection.client.call(getTest, { params }), connection, {}).data.data
  }
  const source = { kind: 'project', projectId, project, search: getSearchText(text), unmatched: false } as const
  const { tests } = await readTests(source, connection, 'all')
  const fitting = tests.filter((test) => getNames(test).includes(normalizeKey(text)))
  const [test] = fitting
  if (test === undefined) {
    throw new CommandError(
      [
        `No test of the project is named “${toTerminalText(text)}”.`,
        'Run caseward tests list to see the tests, and name the test as it is listed or by its id.',
      ],
      { code: 'not_found' },
    )
  }
  if (fitting.length > 1) {
    const lines = [`“${toTerminalText(text)}” fits ${fitting.length} tests. Use the id of one of them:`]
    const items = fitting.map((one) => `${one.id}  ${formatTestName(one)}`)
    throw new CommandError(lines, { code: 'ambiguous', items, itemsHint: 'use --json for all of them' })
  }
  return test
}

/** Returns the longest word, which is contained in one field of the test, whatever separators the text has. */
function getSearchText(text: string): string {
  const words = normalizeKey(text.replace(VARIANT, '')).split(' ')
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return cutText(longest, 255)
}

const getNames = ({ suite, name, variant }: Pick<ProjectTest, 'suite' | 'name' | 'variant'>): string[] =>
  [`${suite} ${name}`, name].flatMap((text) => [normalizeKey(text), normalizeKey(`${text} [${variant}]`)])
