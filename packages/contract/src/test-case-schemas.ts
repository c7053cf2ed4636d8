import { Type } from 'typebox'

import { ExtendedProblem } from './problem.ts'
import { CleanedName, Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { StepGroups } from './steps.ts'
import { AutomationKey, makeOptional, pickExamples, pickSchemas } from './test-case-fields.ts'

const id = Type.String({ description: 'Test case id, `<PREFIX>-<number>`.' })
const listedFields = pickSchemas('read', { listed: 'always' })
const setFields = { ...listedFields, ...pickSchemas('read', { listed: 'with_all' }) }
const fieldsWhenSet = makeOptional({
  ...pickSchemas('read', { listed: 'with_all_when_set' }),
  // Set by `steps` of requests.
  step_groups: StepGroups,
})

/** What the service itself says of a test case. */
const derivedFields = {
  automation_key: Nullable(
    Type.String({
      description: 'Key that matches automated tests to the test case if they have no test case id; null for none.',
    }),
  ),
  created_by: Nullable(Type.String({ description: 'User id of the author; null if unknown.' })),
  position: Type.String({
    description:
      'Place in the folder: a text that sorts the test cases of a folder when compared by bytes, then by number. It changes when the test case is moved.',
  }),
  version: Type.Integer({
    description:
      'Number of changes of the fields, from 1. Send it as `If-Match: "7"` with an update, so that it fails if the test case has changed meanwhile. A new position within the folder does not count.',
  }),
  archived_at: Nullable(Timestamp('When the test case was archived; null if it is not.')),
}
/** Only archived test cases have it in lists and rows. */
export const archivedAtWhenSet = {
  archived_at: Type.Optional(Nullable(Timestamp('When the test case was archived; absent if it is not.'))),
}
/** Only merged test cases have it. */
const mergedIntoWhenSet = {
  merged_into: Type.Optional(
    Type.String({
      description:
        'The test case that this archived one was merged into, where its id leads; absent if it was not merged. Restoring it ends that.',
    }),
  ),
}
const times = {
  created_at: Timestamp('When the test case was created.'),
  updated_at: Timestamp('When the test case last changed.'),
}

const exampleOfAll = {
  id: 'WEB-12',
  ...pickExamples({}),
  automation_key: 'checkout.pays by card',
  created_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  position: 'b12',
  version: 7,
  archived_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
}

/** Returns an example of a schema of test cases. */
export const pickExample = ({ properties }: { properties: object }): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exampleOfAll).filter(
      ([name]) => Object.hasOwn(properties, name) && Reflect.get(properties, name) !== archivedAtWhenSet.archived_at,
    ),
  )

export const TestCaseListItem = Type.Object({ id, ...listedFields, ...times, ...archivedAtWhenSet })
export type TestCaseListItem = Static<typeof TestCaseListItem>

/** A list item; with `fields=all`, it has the fields of {@link TestCase}. */
export const ListedTestCase = Type.Object({
  id,
  ...listedFields,
  ...makeOptional({ ...pickSchemas('read', { listed: 'with_all' }), ...derivedFields }),
  ...times,
  ...fieldsWhenSet,
  ...mergedIntoWhenSet,
})

export const TestCase = Type.Object({
  id,
  ...setFields,
  ...derivedFields,
  ...times,
  ...fieldsWhenSet,
  ...mergedIntoWhenSet,
})
export type TestCase = Static<typeof TestCase>

/** What a test case says, as a version keeps it. */
export const CaseContent = Type.Object({
  id,
  ...setFields,
  automation_key: derivedFields.automation_key,
  created_by: derivedFields.created_by,
  version: derivedFields.version,
  created_at: times.created_at,
  ...fieldsWhenSet,
})

/** What the author of a change says about it. */
export const Summary = Type.Optional(
  Nullable(
    Type.String({
      format: 'text',
      'x-trim': true,
      maxLength: 500,
      description: 'What was changed and why, for the list of versions; up to 500 characters.',
    }),
  ),
)

const { title, ...otherInputs } = pickSchemas('input', {})

/** The fields of a test case that a request may leave out. */
export const optionalTestCaseInput = {
  ...makeOptional(otherInputs),
  automation_key: Type.Optional(
    Nullable(
      AutomationKey(
        'Key that matches automated tests to the test case if they have no test case id; up to 2,000 characters. It must be unique in the project, where white space and the separators `. > › » : / \\` are all the same. It becomes the first of the automation keys; null removes all of them.',
      ),
    ),
  ),
}

export const CreateTestCaseBody = Type.Object(
  { title, ...optionalTestCaseInput },
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

/** A test case of a bulk request, which often comes from a file. */
export const BulkTestCase = Type.Object({
  title: CleanedName('Title. Control characters and invisible characters are removed.'),
  ...optionalTestCaseInput,
})

/** Whether a test case is archived, in changes of test cases that exist. */
export const archivedInput = {
  archived: Type.Optional(
    Type.Boolean({
      description:
        'Whether the test case is archived: an archived one is not in lists, searches, counts and new runs, and keeps its results, versions, comments and files.',
    }),
  ),
}

export const UpdateTestCaseBody = Type.Object(
  { title: Type.Optional(title), ...optionalTestCaseInput, ...archivedInput, summary: Summary },
  { examples: [{ title: 'A customer pays by card or voucher' }] },
)
export type UpdateTestCaseBody = Static<typeof UpdateTestCaseBody>

const { title: storedTitle, priority, ...sentFields } = setFields

/**
 * The response of an update: id, title, priority, updated_at and version, and the other fields that were in the request. Of
 * `fields`, it has all values.
 */
export const UpdatedTestCase = Type.Object({
  id,
  title: storedTitle,
  priority,
  updated_at: times.updated_at,
  version: derivedFields.version,
  ...makeOptional({
    ...sentFields,
    automation_key: derivedFields.automation_key,
    archived_at: derivedFields.archived_at,
  }),
  ...fieldsWhenSet,
})
export type UpdatedTestCase = Static<typeof UpdatedTestCase>

/** The problem of a change that was made to an older version: the test case as it is now, and who changed it last. */
export const ChangedTestCaseProblem = ExtendedProblem({
  current: TestCase,
  changed_by: Nullable(
    Type.Object(
      { id: Type.String({ description: 'User id.' }), name: Type.String({ description: 'Display name.' }) },
      { description: 'Who changed the test case last; null if unknown.' },
    ),
  ),
})
export type ChangedTestCaseProblem = Static<typeof ChangedTestCaseProblem>
