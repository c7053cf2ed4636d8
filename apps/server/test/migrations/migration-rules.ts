import {
  getFirstCompatibleVersion,
  isOlderVersion,
  type MigrationFile,
} from '@caseward/server/platform/database/migration-files'

/** The last migration that was written before servers were upgraded one after the other. */
export const LAST_FREE_MIGRATION = '0035_assignments'

/**
 * Tables with up to millions of rows: what reads them all or blocks writes takes too long. Sessions and users are not among
 * them, because there are only as many as there are people and browsers.
 */
const GROWING_TABLES =
  'audit_log automation_keys case_field_values case_versions comment_versions comments failure_signatures flake_events result_changes result_combinations shared_step_uses step_results suite_errors test_cases test_failures test_links test_outcomes test_results test_verdicts tests'.split(
    ' ',
  )

const IDENTIFIER = '(?:public\\.)?"?(\\w+)"?'
/** A statement on a table, and the rest of it. */
const ALTER_TABLE = new RegExp(`^alter table (?:only )?(?:if exists )?${IDENTIFIER} (.*)$`, 's')
const CREATE_TABLE = new RegExp(`^create table (?:if not exists )?${IDENTIFIER}`)
const CREATE_INDEX = new RegExp(`^create (?:unique )?index (?!concurrently)(?:\\w+ )?on (?:only )?${IDENTIFIER}`)

/** What a server of the previous version may still use. */
const REMOVALS: readonly [pattern: RegExp, reason: string][] = [
  [
    /^drop (?:table|view|materialized view|function|type|trigger|sequence|schema|domain)\b/,
    'drops what servers may use',
  ],
  [/^alter (?:table|type|view|function|index)\b.*\brename\b/s, 'renames what servers may use'],
  [/^truncate\b/, 'deletes all rows'],
]
const REMOVING_ACTIONS: readonly [pattern: RegExp, reason: string][] = [
  [/^drop (?!constraint\b)/, 'drops a column'],
  [/\balter (?:column )?\w+ (?:set data )?type\b/, 'changes the type of a column'],
  [/\balter (?:column )?\w+ set not null\b/, 'refuses rows without a value, which servers may write'],
  [/\balter (?:column )?\w+ drop default\b/, 'refuses rows without a value, which servers may write'],
  [
    /\badd (?:column )?(?:if not exists )?\w+ (?!.*\bdefault\b)[^,]*\bnot null\b/,
    'adds a column that servers do not fill',
  ],
]

/** Removes comments and the contents of quoted texts and of function bodies, and returns the statements in lower case. */
function splitStatements(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, `''`)
    .replaceAll(/'(?:[^']|'')*'/g, `''`)
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
}

/** Returns what in a migration would fail or stop the servers of the previous version, one sentence each. */
export function findViolations({ name, text }: Pick<MigrationFile, 'name' | 'text'>, ownVersion: string): string[] {
  const statements = splitStatements(text)
  const created = new Set(statements.map((statement) => CREATE_TABLE.exec(statement)?.[1]))
  const locks = statements.flatMap((statement) => findLongLocks(statement, created))
  const firstVersion = getFirstCompatibleVersion(name)
  if (firstVersion !== null) {
    const isEarly = !isOlderVersion(firstVersion, ownVersion)
    return [...locks, ...(isEarly ? [`declares ${firstVersion}, which is not released before ${ownVersion}`] : [])]
  }
  return [...locks, ...statements.flatMap((statement) => findRemovals(statement, created))]
}

function findRemovals(statement: string, created: ReadonlySet<string | undefined>): string[] {
  const [, table, actions = ''] = ALTER_TABLE.exec(statement) ?? []
  const rules = created.has(table) ? [] : REMOVING_ACTIONS
  return [
    ...REMOVALS.filter(([pattern]) => pattern.test(statement)),
    ...rules.filter(([pattern]) => splitActions(actions).some((action) => pattern.test(action))),
  ].map(([, reason]) => `${reason}: ${statement}`)
}

/** Splits `add column a …, drop column b` at commas outside of parentheses. */
const splitActions = (actions: string): string[] => actions.split(/,(?![^(]*\))/).map((action) => action.trim())

function findLongLocks(statement: string, created: ReadonlySet<string | undefined>): string[] {
  const isGrowing = (table: string | undefined) =>
    table !== undefined && GROWING_TABLES.includes(table) && !created.has(table)
  const [, table, actions = ''] = ALTER_TABLE.exec(statement) ?? []
  const violations: string[] = []
  if (isGrowing(table)) {
    for (const action of splitActions(actions)) {
      const isChecked = /\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b/.test(action)
      const isColumnChecked =
        /^add (?:column )?(?!constraint\b)\w+ .*\b(?:check|references|unique|generated always as)\b/.test(action)
      if ((isChecked && !action.includes('not valid')) || isColumnChecked) {
        violations.push(`checks all rows of ${table} under a lock: ${statement}`)
      }
    }
  }
  if (isGrowing(CREATE_INDEX.exec(statement)?.[1])) {
    violations.push(`blocks writes while it creates an index: ${statement}`)
  }
  return violations
}
