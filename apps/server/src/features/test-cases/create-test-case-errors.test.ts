import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const getPath = (project: { id: string }) => `/v1/projects/${project.id}/test-cases`

describe('POST /v1/projects/:project_id/test-cases', () => {
  it.each([
    [{}, ['/title']],
    [{ title: '' }, ['/title']],
    [{ title: ' \n\t ' }, ['/title']],
    [{ title: 5 }, ['/title']],
    [{ title: null }, ['/title']],
    [{ title: 'x\0' }, ['/title']],
    [{ title: '\udc00' }, ['/title']],
    [{ title: 'x', priority: 'urgent', type: 'manual' }, ['/priority', '/type']],
    [{ title: 'x', priority: null }, ['/priority']],
    [{ title: 'x', precondition: null }, ['/precondition']],
    [{ title: 'x', steps: 'none' }, ['/steps']],
    [
      { title: 'x', steps: [{}, { action: 1, expected: null }] },
      ['/steps/0/action', '/steps/1/action', '/steps/1/expected'],
    ],
    [{ title: 'x', steps: [null] }, ['/steps/0']],
    [{ title: 'x', tags: ['ok', ' ', 5] }, ['/tags/1', '/tags/2']],
    [{ title: 'x', tags: 'a' }, ['/tags']],
    [{ title: 'x', automation_key: ' ' }, ['/automation_key']],
    [{ title: 'x', folder_id: 'nonsense' }, ['/folder_id']],
    [{ title: 'x', folder_id: '01a1fc2b-5f29-7584-9e03-d27674921b66' }, ['/folder_id']],
    [{ title: 'x', folder_id: 12 }, ['/folder_id']],
    [{ priority: 'urgent', folder_id: 'nonsense' }, ['/folder_id', '/priority', '/title']],
    [[{ title: 'x' }], ['']],
    ['title', ['']],
    [null, ['']],
  ])(
    'returns 400 with every invalid field for %j',
    {
      tags: [
        'spec:test-cases/title-required-on-create',
        'spec:test-cases/priority-critical-high-medium-low',
        'spec:test-cases/type-functional-smoke-regression-the-others',
        'spec:test-cases/create-title-is-required',
        'spec:test-cases/create-steps-are-action-and-expected',
      ],
    },
    async (body, paths) => {
      const project = await makeProject(server)
      const problem = await server.expectProblem(400, 'POST', getPath(project), { token: project.admin.token, body })
      expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(paths)
      expect(problem.code).toBe('invalid_request')
    },
  )

  it.each([
    ['title', 'x'.repeat(256)],
    ['precondition', 'x'.repeat(65_537)],
    ['expected_result', 'x'.repeat(65_537)],
    ['automation_key', 'x'.repeat(2001)],
    ['steps', Array.from({ length: 501 }, () => ({ action: 'a' }))],
    ['tags', Array.from({ length: 51 }, (_, index) => `${index}`)],
    ['folder_id', 'x'.repeat(256)],
  ])('refuses a %s that is too long', { tags: ['spec:limits/lengths-of-text-decided'] }, async (field, value) => {
    const project = await makeProject(server)
    const options = { token: project.admin.token, body: { title: 'x', [field]: value } }
    const problem = await server.expectProblem(400, 'POST', getPath(project), options)
    expect(problem.errors?.map(({ path }) => path)).toEqual([`/${field}`])
  })

  it('returns 400 for a folder of another project', async () => {
    const project = await makeProject(server)
    const { id } = await makeFolder(server, await makeProject(server))
    const options = { token: project.admin.token, body: { title: 'x', folder_id: id } }
    const problem = await server.expectProblem(400, 'POST', getPath(project), options)
    expect(problem.errors).toEqual([{ path: '/folder_id', message: expect.any(String) }])
  })

  it('returns 409 for an automation key that another test case of the project uses', async () => {
    const project = await makeProject(server)
    await makeTestCase(server, project, { automation_key: 'login.works' })
    const options = { token: project.admin.token, body: { title: 'x', automation_key: ' login.works ' } }
    const problem = await server.expectProblem(409, 'POST', getPath(project), options)
    expect(problem).toMatchObject({ code: 'automation_key_taken', errors: [{ path: '/automation_key' }] })
  })
})
