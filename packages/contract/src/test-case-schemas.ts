import { Type, type Static } from 'typebox'

import { Id, LongText, Name, Nullable, OneOf, Timestamp } from './schemas.ts'

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

const Priority = OneOf(PRIORITIES, { description: 'How much it matters.' })
const TestCaseType = OneOf(TEST_CASE_TYPES, { description: 'What kind of test it is.' })

const Step = Type.Object({
  position: Type.Integer({ description: 'Its place, from 1.' }),
  action: Type.String({ description: 'What to do.' }),
  expected: Type.String({ description: 'What should happen.' }),
})

const fields = {
  id: Type.String({ description: 'Test case id, `<PREFIX>-<number>`.' }),
  title: Type.String({ description: 'What is tested.' }),
  folder_id: Nullable(Type.String({ description: 'The folder it lies in; null at the top.' })),
  priority: Priority,
  type: TestCaseType,
  precondition: Type.String({ description: 'What must hold before.' }),
  steps: Type.Array(Step, { description: 'The steps, in order.' }),
  expected_result: Type.String({ description: 'The overall expected result.' }),
}
const detailOnlyFields = {
  tags: Type.Array(Type.String(), { description: 'Free words to find it by.' }),
  automation_key: Nullable(
    Type.String({ description: 'The name by which automation knows the case when no id is in reach.' }),
  ),
  created_by: Nullable(Type.String({ description: 'User id of its author.' })),
}
const times = { created_at: Timestamp('When it was created.'), updated_at: Timestamp('When it last changed.') }

export const listedTestCaseExample = {
  id: 'WEB-12',
  title: 'A customer pays by card',
  folder_id: null,
  priority: 'high',
  type: 'functional',
  precondition: 'A filled basket',
  steps: [{ position: 1, action: 'Pay by card', expected: 'The order is confirmed' }],
  expected_result: 'The order is paid',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}
export const testCaseExample = {
  ...listedTestCaseExample,
  tags: ['payment'],
  automation_key: 'checkout.pays by card',
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
}

export const TestCaseListItem = Type.Object({ ...fields, ...times })
export type TestCaseListItem = Static<typeof TestCaseListItem>

/** A list item with, where they were asked for, the fields that else only the single read shows. */
export const ListedTestCase = Type.Object({
  ...fields,
  tags: Type.Optional(detailOnlyFields.tags),
  automation_key: Type.Optional(detailOnlyFields.automation_key),
  created_by: Type.Optional(detailOnlyFields.created_by),
  ...times,
})

export const TestCase = Type.Object({ ...fields, ...detailOnlyFields, ...times })
export type TestCase = Static<typeof TestCase>

const NewStep = Type.Object({
  action: LongText('What to do.'),
  expected: Type.Optional(LongText('What should happen.')),
})

const optionalInput = {
  folder_id: Type.Optional(Nullable(Id('The folder to put it in; null for the top.'))),
  priority: Type.Optional(OneOf(PRIORITIES, { description: 'How much it matters.' })),
  type: Type.Optional(OneOf(TEST_CASE_TYPES, { description: 'What kind of test it is.' })),
  precondition: Type.Optional(LongText('What must hold before.')),
  steps: Type.Optional(Type.Array(NewStep, { maxItems: 500, description: 'Numbered from 1 in the order sent.' })),
  expected_result: Type.Optional(LongText('The overall expected result.')),
  tags: Type.Optional(
    Type.Array(Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      description: 'Free words to find it by.',
    }),
  ),
  automation_key: Type.Optional(
    Nullable(
      Type.String({
        format: 'text',
        'x-trim': true,
        minLength: 1,
        maxLength: 500,
        description: 'The name by which automation knows the case: unique in the project.',
      }),
    ),
  ),
}

export const CreateTestCaseBody = Type.Object(
  { title: Name('What is tested.'), ...optionalInput },
  {
    examples: [
      {
        title: 'A customer pays by card',
        priority: 'high',
        steps: [{ action: 'Pay by card', expected: 'The order is confirmed' }],
      },
    ],
  },
)
export type CreateTestCaseBody = Static<typeof CreateTestCaseBody>

export const UpdateTestCaseBody = Type.Object(
  { title: Type.Optional(Name('What is tested.')), ...optionalInput },
  { examples: [{ title: 'A customer pays by card or voucher' }] },
)
export type UpdateTestCaseBody = Static<typeof UpdateTestCaseBody>

/** What an update answers: always id, title, priority and updated_at; the other fields when they were sent. */
export const UpdatedTestCase = Type.Object({
  id: fields.id,
  title: fields.title,
  priority: fields.priority,
  updated_at: times.updated_at,
  folder_id: Type.Optional(fields.folder_id),
  type: Type.Optional(fields.type),
  precondition: Type.Optional(fields.precondition),
  steps: Type.Optional(fields.steps),
  expected_result: Type.Optional(fields.expected_result),
  tags: Type.Optional(detailOnlyFields.tags),
  automation_key: Type.Optional(detailOnlyFields.automation_key),
})
export type UpdatedTestCase = Static<typeof UpdatedTestCase>
