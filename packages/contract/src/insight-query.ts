import { Type } from 'typebox'

/** The query of pages about the base runs of a branch. */
export const BaseRunsQuery = {
  branch: Type.Optional(
    Type.String({
      format: 'text',
      minLength: 1,
      maxLength: 255,
      description: 'Base runs of this branch; the default branch without it.',
    }),
  ),
  series: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 100,
      description: 'Only runs of this suite (`suite` in their metadata); empty for those without one.',
    }),
  ),
}

export const time_zone = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 64,
    default: 'UTC',
    description: 'IANA time zone of the days, such as `Europe/Berlin`.',
  }),
)

const text = (description: string) => Type.String({ description })

/** A test where it is named. */
export const NamedTest = Type.Object({
  id: text('Test id.'),
  suite: text('File, class or blocks around the test.'),
  name: text('Name.'),
  variant: text('Variant; empty if there is only one.'),
  file: text('File; empty if unknown.'),
})

export const namedTestExample = {
  id: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  suite: 'src/checkout.spec.ts',
  name: 'Checkout > pays by card',
  variant: 'chromium',
  file: 'src/checkout.spec.ts',
}
