import type { RecordKind } from '@caseward/client/endpoints'

const nouns: Readonly<Record<RecordKind, string>> = {
  folder: 'folder',
  case: 'test case',
  case_version: 'earlier version',
  shared_steps: 'shared step',
  shared_step_version: 'shared step version',
  field: 'custom field',
  configuration: 'configuration',
  milestone: 'milestone',
  plan: 'plan',
  run: 'run',
  result: 'result',
  test: 'test',
  test_outcome: 'test outcome',
  person: 'person',
  relation: 'relation',
  comment: 'comment',
  attachment: 'file',
  suite_error: 'suite error',
  quarantine: 'quarantine',
  left_out: 'left-out test',
}

/** What a kind of records of an import is called, in the singular. A newer server may have kinds that are not known here. */
export const getImportedNoun = (kind: string): string =>
  (nouns as Readonly<Record<string, string | undefined>>)[kind] ?? kind
