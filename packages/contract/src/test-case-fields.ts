import { Type, type TOptional, type TSchema } from 'typebox'

import { FieldValues, StoredFieldValues } from './field-values.ts'
import { Id, LongText, Name, Nullable, OneOf } from './schemas.ts'
import { MAX_STEPS, Step, StepInput } from './steps.ts'

/*
 * What a request can set in a test case. Every schema of test cases follows from this table; ARCHITECTURE.md has the other
 * places that a new field needs, under "Adding a field to a test case".
 */

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
export const TEST_CASE_TYPES = [
  'functional',
  'smoke',
  'regression',
  'integration',
  'end_to_end',
  'acceptance',
  'performance',
  'security',
  'usability',
  'accessibility',
  'compatibility',
  'exploratory',
  'unit',
  'api',
  'other',
] as const
/** How test cases are written and shown when they are tested. */
export const TEMPLATES = ['steps', 'text'] as const
export type Template = (typeof TEMPLATES)[number]

/** Maximum length of an automation key in characters. */
export const MAX_AUTOMATION_KEY_LENGTH = 2000
/** The maximum number of automation keys of a test case. */
export const MAX_AUTOMATION_KEYS = 20
/** The maximum number of tags of a test case. */
export const MAX_TAGS = 50

/** The longest estimate of a test in seconds: 100 days. */
export const MAX_ESTIMATE = 8_640_000

interface Field {
  /** In responses. */
  readonly read: TSchema
  /** In requests. */
  readonly input: TSchema
  readonly example: unknown
  /**
   * Whether every list item has it, or only those of lists with `fields=all`; with `with_all_when_set`, only if it has a value.
   * A single test case has what is in lists with `fields=all`.
   */
  readonly listed: 'always' | 'with_all' | 'with_all_when_set'
  /** Whether compact rows have it: always, only if it has a value, or what the request chooses of it. */
  readonly inRows?: 'always' | 'when_set' | 'chosen'
  /** Whether a bulk update sets it for many test cases, adds and removes its items, or changes values in it. */
  readonly inBatches?: 'set' | 'items' | 'values'
}

const Priority = OneOf(PRIORITIES, { description: 'Priority.' })
const TestCaseType = OneOf(TEST_CASE_TYPES, { description: 'Type of test.' })

const Template = (description: string) => OneOf(TEMPLATES, { description })

export const Tags = (description: string) =>
  Type.Array(Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 64 }), {
    maxItems: MAX_TAGS,
    description,
  })

export const AutomationKey = (description: string) =>
  Type.String({
    format: 'text',
    'x-trim': true,
    minLength: 1,
    maxLength: MAX_AUTOMATION_KEY_LENGTH,
    description,
  })

const define = <const F extends Readonly<Record<string, Field>>>(fields: F): F => fields

export const testCaseFields = define({
  title: {
    read: Type.String({ description: 'Title.' }),
    input: Name('Title.'),
    example: 'A customer pays by card',
    listed: 'always',
    inRows: 'always',
  },
  folder_id: {
    read: Nullable(Type.String({ description: 'Folder; null at the top level.' })),
    input: Nullable(Id('Folder; null for the top level.')),
    example: null,
    listed: 'always',
    inRows: 'always',
    inBatches: 'set',
  },
  priority: {
    read: Priority,
    input: Priority,
    example: 'high',
    listed: 'always',
    inRows: 'always',
    inBatches: 'set',
  },
  type: {
    read: TestCaseType,
    input: TestCaseType,
    example: 'functional',
    listed: 'always',
    inRows: 'always',
    inBatches: 'set',
  },
  template: {
    read: Template('How it is written and shown: as a list of `steps`, or as one `text`.'),
    input: Template(
      'How it is written and shown: as a list of `steps`, or as one `text`. It does not change the steps that are stored. Without it, a new test case gets the one that the project sets, or `steps` if it has more than one text.',
    ),
    example: 'steps',
    listed: 'with_all',
    inBatches: 'set',
  },
  precondition: {
    read: Type.String({ description: 'Conditions that must be met before the test.' }),
    input: LongText('Conditions that must be met before the test.'),
    example: 'A filled basket',
    listed: 'always',
  },
  steps: {
    read: Type.Array(Step, { description: 'Steps in order.' }),
    input: Type.Array(StepInput, {
      maxItems: MAX_STEPS,
      description:
        'Steps in order; an item with `shared_step_id` stands for the steps of a shared step. Of a test case that exists, steps that equal those of a shared step stay a part of it, so that a request which knows nothing of shared steps keeps them. With them, a test case has at most 500 steps.',
    }),
    example: [{ position: 1, action: 'Pay by card', expected: 'The order is confirmed' }],
    listed: 'always',
  },
  expected_result: {
    read: Type.String({ description: 'Expected result of the whole test case.' }),
    input: LongText('Expected result of the whole test case.'),
    example: 'The order is paid',
    listed: 'always',
  },
  tags: {
    read: Type.Array(Type.String(), { description: 'Tags.' }),
    input: Tags('Tags.'),
    example: ['payment'],
    listed: 'with_all',
    inRows: 'always',
    inBatches: 'items',
  },
  automation_keys: {
    read: Type.Array(Type.String(), {
      description: 'All keys that match automated tests to the test case; `automation_key` is the first.',
    }),
    input: Type.Array(AutomationKey('Automation key.'), {
      maxItems: MAX_AUTOMATION_KEYS,
      description: 'All automation keys, up to 20; in place of `automation_key`.',
    }),
    example: ['checkout.pays by card'],
    listed: 'with_all',
  },
  owner_id: {
    read: Nullable(Type.String({ description: 'User id of who keeps the test case up to date; null for nobody.' })),
    input: Nullable(Id('User id of the admin or member who keeps the test case up to date; null for nobody.')),
    example: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
    listed: 'with_all',
    inRows: 'when_set',
    inBatches: 'set',
  },
  estimate: {
    read: Nullable(Type.Integer({ description: 'How long the test takes in seconds; null if it is not estimated.' })),
    input: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ESTIMATE,
        description: 'How long the test takes in seconds, up to 8,640,000 (100 days); null for no estimate.',
      }),
    ),
    example: 300,
    listed: 'with_all',
    inRows: 'when_set',
    inBatches: 'set',
  },
  fields: {
    read: StoredFieldValues('Values of the custom fields by their keys; absent if there are none.'),
    input: FieldValues(
      'Values of custom fields by their keys. Of a test case that exists, only the fields that are sent change; null removes a value. A new test case gets the defaults of the fields that are not sent.',
    ),
    example: { severity: 'blocker' },
    listed: 'with_all_when_set',
    inRows: 'chosen',
    inBatches: 'values',
  },
})

type Fields = typeof testCaseFields

/** The schemas of the fields that have some properties, such as `{ inRows: 'always' }`. */
type SchemasOf<Part extends 'read' | 'input', Where> = {
  -readonly [Name in keyof Fields as Fields[Name] extends Where ? Name : never]: Fields[Name][Part]
}

/** The names of the fields that every list item has. */
export type ListedField = keyof SchemasOf<'read', { listed: 'always' }>
/** The names of the fields that every compact row has. */
export type RowField = keyof SchemasOf<'read', { inRows: 'always' }>
/** The names of the fields that change for many test cases at once. */
export type BatchField = keyof SchemasOf<'read', { inBatches: 'set' | 'items' }>

/** Returns the schemas of the fields that have some properties, for responses or for requests. */
export function pickSchemas<Part extends 'read' | 'input', const Where extends Partial<Field>>(
  part: Part,
  where: Where,
): SchemasOf<Part, Where> {
  return Object.fromEntries(filterFields(where).map(([name, field]) => [name, field[part]])) as SchemasOf<Part, Where>
}

/** Returns an example of the fields that have some properties. */
export const pickExamples = (where: Partial<Field>): Record<string, unknown> =>
  Object.fromEntries(filterFields(where).map(([name, { example }]) => [name, example]))

const filterFields = (where: Partial<Field>): (readonly [string, Field])[] =>
  Object.entries<Field>(testCaseFields).filter(([, field]) =>
    Object.entries(where).every(([property, value]) => field[property as keyof Field] === value),
  )

/** Makes every schema optional. */
export function makeOptional<S extends Readonly<Record<string, TSchema>>>(
  schemas: S,
): { [Name in keyof S]: TOptional<S[Name]> } {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries) as { [Name in keyof S]: TOptional<S[Name]> }
}
