import { Type } from 'typebox'

import { SimilarTestCase } from './duplicates.ts'
import { IMPORT_STATES, RECORD_ACTIONS, RECORD_KINDS } from './import-kinds.ts'
import { ImportPlanning, ImportProof, ImportReading } from './import-plan-schemas.ts'
import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/*
 * Imports of files from other tools: what was read, what would be stored, and what is not imported or not as it was.
 */

export const importExample = {
  id: '019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10',
  name: 'shop.xml',
  state: 'planned',
  system: 'testrail',
  source: 'TestRail',
  format: 'testrail-xml',
  files: [{ name: 'shop.xml', byte_count: 48_213 }],
  plan: 'b1946ac92492d2347c6235b4d2611184',
  progress: null,
  reading: { counts: [{ kind: 'case', count: 26 }], steps: 37, encoding: null },
  planning: {
    actions: [{ kind: 'case', action: 'create', count: 26 }],
    losses: [],
    fields: [{ name: 'severity', filled: 26, distinct: 2, samples: ['Major', 'Minor'], to: 'new:severity' }],
    values: [{ field: 'priority', from: 'High', to: 'high', count: 26, is_known: true }],
    questions: [],
    needs_settings: true,
    absent: 0,
    similar: { count: 0, not_compared: 0, is_complete: true },
  },
  proof: null,
  error: null,
  created_by: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  created_at: '2026-11-21T09:30:00.000Z',
  planned_at: '2026-11-21T09:30:02.000Z',
  applied_at: null,
  undone_at: null,
}

export const Import = Type.Object(
  {
    id: Type.String({ description: 'Import id.' }),
    name: Type.String({ description: 'Name, that of the file.' }),
    state: OneOf(IMPORT_STATES, {
      description:
        '`reading` and `planning` change nothing in the project. `planned` waits to be applied. `differs` was applied, and the proof is not equal. `failed` and `cancelled` can be resumed.',
    }),
    system: Nullable(Type.String({ description: 'The tool, such as `testrail`; null until it is recognized.' })),
    source: Nullable(
      Type.String({
        description: 'Name of the project of the tool: objects of the same source are found again; null until read.',
      }),
    ),
    format: Nullable(Type.String({ description: 'Format of the file; null until it is recognized.' })),
    files: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the file.' }),
        byte_count: Type.Integer({ description: 'Size in bytes.' }),
      }),
      { description: 'What was uploaded.' },
    ),
    plan: Nullable(Type.String({ description: 'Digest of the plan, to apply it; null without one.' })),
    progress: Nullable(
      Type.Object({
        stage: Type.String({ description: 'What is being done.' }),
        done: Type.Integer({ minimum: 0, description: 'How much of it.' }),
        total: Type.Integer({ minimum: 0, description: 'Of how much; 0 if unknown.' }),
      }),
    ),
    reading: Nullable(ImportReading),
    planning: Nullable(ImportPlanning),
    proof: Nullable(ImportProof),
    error: Nullable(
      Type.Object({
        code: Type.String({ description: 'Stable code, such as `legacy_excel`.' }),
        detail: Type.String({ description: 'Why it failed, and what to do.' }),
      }),
    ),
    created_by: Nullable(Type.String({ description: 'User id.' })),
    created_at: Timestamp('When the file was imported.'),
    planned_at: Nullable(Timestamp('When the plan was made.')),
    applied_at: Nullable(Timestamp('When it was applied.')),
    undone_at: Nullable(Timestamp('When it was undone.')),
  },
  { examples: [importExample] },
)
export type Import = Static<typeof Import>

export const recordExample = {
  seq: 3,
  kind: 'case',
  key: 'C11',
  title: 'Pays by card',
  action: 'create',
  target: null,
  losses: [],
  changed: [],
  before: null,
  after: { title: 'Pays by card', priority: 'high' },
  details: {},
  similar: [],
}

export const ImportedRecord = Type.Object({
  seq: Type.Integer({ description: 'Place in the file, from 1.' }),
  kind: OneOf(RECORD_KINDS, { description: 'Kind of record.' }),
  key: Nullable(Type.String({ description: 'What the source calls it; null if it has no id.' })),
  title: Type.String({ description: 'Title or name; may be empty.' }),
  action: Nullable(OneOf(RECORD_ACTIONS, { description: 'What happens to it; null before the plan.' })),
  target: Nullable(
    Type.String({
      description:
        'Id of the folder, shared step, test case, configuration, milestone, run, result or user; null if there is none yet.',
    }),
  ),
  losses: Type.Array(Type.String(), { description: 'Codes of what is not imported, or not as it was.' }),
  changed: Type.Array(Type.String(), { description: 'Fields that change; of a conflict, those that differ.' }),
  before: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What is here now of the fields that change; null unless there are any.',
    }),
  ),
  after: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'What the test case or folder is afterwards; null for what is not imported, and for test cases that the source has not changed.',
    }),
  ),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Values without a place here, by name.',
  }),
  similar: Type.Array(SimilarTestCase, {
    description: 'Of a test case that is created: those that exist and are like it, when the plan was made. Up to 3.',
  }),
})
export type ImportedRecord = Static<typeof ImportedRecord>

/** Where a test case comes from. */
export const CaseSource = Type.Object(
  {
    system: Type.String({ description: 'The tool, such as `testrail`.' }),
    source: Type.String({ description: 'Name of the project of the tool.' }),
    key: Type.String({ description: 'What the tool calls it; without an id there, its path and title.' }),
    imported_at: Timestamp('When it was last imported.'),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values that have no place in a test case, by name.',
    }),
  },
  {
    examples: [
      {
        system: 'testrail',
        source: 'TestRail',
        key: 'C11',
        imported_at: '2026-11-21T09:30:00.000Z',
        details: { created_by: 'Ada' },
      },
    ],
  },
)
export type CaseSource = Static<typeof CaseSource>
