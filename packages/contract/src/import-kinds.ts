/* What imports are in, and what their records are. */

export const IMPORT_STATES = [
  'reading',
  'planning',
  'planned',
  'applying',
  'done',
  'differs',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const RECORD_KINDS = [
  'folder',
  'case',
  'shared_steps',
  'shared_step_version',
  'person',
  'plan',
  'relation',
  'milestone',
  'configuration',
  'run',
  'result',
  'field',
  'attachment',
  'comment',
  'case_version',
  'test',
  'test_outcome',
  'suite_error',
  'quarantine',
  'left_out',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

export const RECORD_ACTIONS = [
  'create',
  'update',
  'unchanged',
  'conflict',
  'deleted_here',
  'not_imported',
  'absent_in_source',
] as const
export type RecordAction = (typeof RECORD_ACTIONS)[number]
