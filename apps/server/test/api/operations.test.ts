import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const project = '/v1/projects/x'

/** All endpoints of the specification. It leaves the methods of test cases open; these are the ones that we chose. */
const operations = [
  ['GET', '/v1/projects'],
  ['GET', project],
  ['POST', '/v1/projects'],
  ['PATCH', project],
  ['DELETE', project],
  ['GET', `${project}/milestones`],
  ['GET', `${project}/milestones/x`],
  ['GET', `${project}/milestones/x/readiness`],
  ['POST', `${project}/milestones`],
  ['PATCH', `${project}/milestones/x`],
  ['GET', `${project}/members`],
  ['POST', `${project}/members/invite`],
  ['PATCH', `${project}/members/x`],
  ['DELETE', `${project}/members/x`],
  ['GET', `${project}/test-cases`],
  ['GET', `${project}/test-cases/x`],
  ['POST', `${project}/test-cases`],
  ['PATCH', `${project}/test-cases/x`],
  ['PUT', `${project}/test-cases/x`],
  ['DELETE', `${project}/test-cases/x`],
  ['POST', `${project}/test-cases/bulk`],
  ['GET', '/v1/runs/x/results'],
  ['PUT', '/v1/runs/x/results/x'],
  ['POST', '/v1/runs/x/results/bulk'],
  ['POST', '/v1/results'],
] as const

describe.each(operations)('%s %s', (method, path) => {
  it(
    'exists: returns 401, not 404, without a token',
    {
      tags: [
        'spec:service/every-path-starts-with-v1',
        'spec:service/announced-endpoints-decided-they-are-there-like',
        'spec:conventions/all-operations-are-there-under-their-methods',
        'spec:test-cases/methods-decided',
        'spec:upload/path-v1-results-method-decided-post',
        'spec:authentication/every-request-carries-authorization-bearer',
        'spec:errors/401-milestones-members-ci-upload-no-token',
        'spec:versioning/the-prefix-v1-is-on-every-endpoint',
      ],
    },
    async () => {
      expect((await server.expectProblem(401, method, path)).code).toBe('unauthenticated')
    },
  )

  it.each([
    ['an unknown personal token', `Bearer cwp_${'x'.repeat(49)}`],
    ['an unknown CI token', `Bearer cwc_${'x'.repeat(49)}`],
    ['an empty token', 'Bearer'],
    ['another scheme', 'Basic YTpi'],
  ])(
    'returns 401 with %s',
    {
      tags: [
        'spec:authentication/every-request-carries-authorization-bearer',
        'spec:errors/401-milestones-members-ci-upload-an-invalid',
      ],
    },
    async (_, authorization) => {
      await server.expectProblem(401, method, path, { headers: { authorization } })
    },
  )
})
