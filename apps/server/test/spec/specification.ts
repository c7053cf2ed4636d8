import { authentication } from './authentication.ts'
import { conventions } from './conventions.ts'
import { errors } from './errors.ts'
import { invitations } from './invitations.ts'
import { limits } from './limits.ts'
import { members } from './members.ts'
import { milestones } from './milestones.ts'
import { projects } from './projects.ts'
import type { Requirements } from './requirement.ts'
import { results } from './results.ts'
import { runs } from './runs.ts'
import { service } from './service.ts'
import { testCases } from './test-cases.ts'
import { upload } from './upload.ts'
import { versioning } from './versioning.ts'

const sections: Readonly<Record<string, Requirements>> = {
  service,
  conventions,
  projects,
  milestones,
  members,
  invitations,
  'test-cases': testCases,
  results,
  runs,
  upload,
  authentication,
  errors,
  limits,
  versioning,
}

/**
 * One Vitest tag for each requirement of the specification, such as `spec:projects/post-name-is-required`. A test that
 * proves a requirement has its tag; `npx vitest run --tags-filter 'spec:projects/*'` runs the tests of a section.
 *
 * To add a requirement, add a line to the file of its section: an id in lower-case words with hyphens, and a
 * description. Then add the tag to a test:
 * `it('returns 400 without a name', { tags: ['spec:projects/post-name-is-required'] }, …)`.
 * `specification.test.ts` fails until such a test exists. Ids do not change when a description is improved.
 *
 * "(our choice)" in a description marks what the specification leaves open.
 */
export const specificationTags = Object.entries(sections).flatMap(([section, requirements]) =>
  Object.entries(requirements).map(([id, description]) => ({ name: `spec:${section}/${id}`, description })),
)
