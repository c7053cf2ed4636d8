import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { createProject } from './projects.ts'

export const createDemoProject = {
  method: 'POST',
  url: '/v1/projects/demo',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'createDemoProject',
    tags: createProject.schema.tags,
    summary: 'Create a demo project',
    description:
      'Creates a project with 300 test cases, milestones, and runs of six weeks, whose first admin is the caller, to try the product. Returns 409 `demo_exists` if the caller has one, and 409 `demo_in_progress` while another request of the caller creates it. The project appears once it is complete.',
    response: { 201: createProject.schema.response[201], ...problems(401, 403, 409, 429) },
  },
} as const satisfies Endpoint
