import type { Folder } from '@casebook/contract/folders'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCase, makeCiToken, makeFolder, makeMember, makeProject, makeUser } from '../../../test/make.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type MadeProject = Awaited<ReturnType<typeof makeProject>>
const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'
const pathOf = (project: MadeProject, id = '') => `/v1/projects/${project.id}/folders${id === '' ? '' : `/${id}`}`

async function listFolders(project: MadeProject): Promise<Folder[]> {
  const { body } = await server.request<{ data: Folder[] }>('GET', pathOf(project), { token: project.admin.token })
  return body.data
}

/** The tree as it is displayed: names, indented by level. */
async function display(project: MadeProject): Promise<string[]> {
  const folders = await listFolders(project)
  const levels = new Map<string | null, number>([[null, -1]])
  return folders.map(({ id, parent_id, name }) => {
    const level = (levels.get(parent_id) ?? Number.NaN) + 1
    levels.set(id, level)
    return '.'.repeat(level) + name
  })
}

const change = (project: MadeProject, id: string, body: unknown) =>
  server.request<{ data: Folder }>('PATCH', pathOf(project, id), { token: project.admin.token, body })

const remove = (project: MadeProject, id: string) =>
  server.request('DELETE', pathOf(project, id), { token: project.admin.token })

/** Folders below one another, as many as asked for. */
async function makeChain(project: MadeProject, levels: number): Promise<Folder[]> {
  const chain: Folder[] = []
  for (let level = 1; level <= levels; level += 1) {
    chain.push(await makeFolder(server, project, { name: `level ${level}`, parent_id: chain.at(-1)?.id ?? null }))
  }
  return chain
}

describe('POST /v1/projects/:project_id/folders', () => {
  it('creates a folder with exactly the contract’s fields, at the top and last', async () => {
    const project = await makeProject(server)
    await makeFolder(server, project)
    const { admin } = project
    const answer = await server.request('POST', pathOf(project), { token: admin.token, body: { name: ' Checkout ' } })
    expect(answer.status).toBe(201)
    expect(answer.body['data']).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Checkout',
      parent_id: null,
      position: 1,
      test_case_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    })
  })

  it('moves those at and after its position on by one', async () => {
    const project = await makeProject(server)
    for (const name of ['a', 'b', 'c']) await makeFolder(server, project, { name })
    const { position } = await makeFolder(server, project, { name: 'x', position: 1 })
    expect(position).toBe(1)
    expect(await display(project)).toEqual(['a', 'x', 'b', 'c'])
    expect((await listFolders(project)).map((folder) => folder.position)).toEqual([0, 1, 2, 3])
  })

  it('takes a position past the end as the last', async () => {
    const project = await makeProject(server)
    await makeFolder(server, project)
    const { position } = await makeFolder(server, project, { position: 1_000_000 })
    expect(position).toBe(1)
  })

  it('takes ten levels and refuses an eleventh', async () => {
    const project = await makeProject(server)
    const chain = await makeChain(project, 10)
    const body = { name: 'too deep', parent_id: chain.at(-1)?.id }
    const problem = await server.refused(400, 'POST', pathOf(project), { token: project.admin.token, body })
    expect(problem.errors).toEqual([{ path: '/parent_id', message: expect.stringContaining('10 levels') }])
  })

  it.each([
    [{}, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'x'.repeat(256) }, '/name'],
    [{ name: null }, '/name'],
    [{ name: 'a\ud800' }, '/name'],
    [{ name: 'x', parent_id: 'nonsense' }, '/parent_id'],
    [{ name: 'x', parent_id: unknownId }, '/parent_id'],
    [{ name: 'x', position: -1 }, '/position'],
    [{ name: 'x', position: 1.5 }, '/position'],
    [{ name: 'x', position: '1' }, '/position'],
  ])('refuses %j', async (body, path) => {
    const project = await makeProject(server)
    const problem = await server.refused(400, 'POST', pathOf(project), { token: project.admin.token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('refuses a parent from another project', async () => {
    const project = await makeProject(server)
    const elsewhere = await makeFolder(server, await makeProject(server))
    const body = { name: 'x', parent_id: elsewhere.id }
    await server.refused(400, 'POST', pathOf(project), { token: project.admin.token, body })
  })
})

describe('GET /v1/projects/:project_id/folders', () => {
  it('lists each folder before what lies in it, siblings by position', async () => {
    const project = await makeProject(server)
    const b = await makeFolder(server, project, { name: 'b' })
    const a = await makeFolder(server, project, { name: 'a', position: 0 })
    await makeFolder(server, project, { name: 'b2', parent_id: b.id })
    await makeFolder(server, project, { name: 'b1', parent_id: b.id, position: 0 })
    await makeFolder(server, project, { name: 'a1', parent_id: a.id })
    expect(await display(project)).toEqual(['a', '.a1', 'b', '.b1', '.b2'])
  })

  it('lists the whole tree, however many folders there are', async () => {
    const project = await makeProject(server)
    await Promise.all(Array.from({ length: 40 }, () => makeFolder(server, project)))
    const folders = await listFolders(project)
    expect(folders.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => index))
  })

  it('lists no other project’s folders', async () => {
    await makeFolder(server, await makeProject(server))
    expect(await listFolders(await makeProject(server))).toEqual([])
  })
})

describe('PATCH /v1/projects/:project_id/folders/:folder_id', () => {
  it('changes only the name when only that is sent', async () => {
    const project = await makeProject(server)
    const parent = await makeFolder(server, project)
    await makeFolder(server, project, { parent_id: parent.id })
    const folder = await makeFolder(server, project, { parent_id: parent.id })
    const { status, body } = await change(project, folder.id, { name: 'New' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...folder, name: 'New', updated_at: expect.any(String) })
    expect(body.data.updated_at > folder.updated_at).toBe(true)
  })

  it('changes nothing, not even updated_at, when nothing is sent', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    expect((await change(project, folder.id, {})).body.data).toEqual(folder)
  })

  it.each([
    [0, ['c', 'a', 'b', 'd']],
    [1, ['a', 'c', 'b', 'd']],
    [2, ['a', 'b', 'c', 'd']],
    [3, ['a', 'b', 'd', 'c']],
    [99, ['a', 'b', 'd', 'c']],
  ])('puts the third of four at position %i among its siblings', async (position, expected) => {
    const project = await makeProject(server)
    const made = new Map<string, string>()
    for (const name of ['a', 'b', 'c', 'd']) made.set(name, (await makeFolder(server, project, { name })).id)
    const { body } = await change(project, made.get('c') ?? '', { position })
    expect(body.data.position).toBe(Math.min(position, 3))
    expect(await display(project)).toEqual(expected)
    expect((await listFolders(project)).map((folder) => folder.position)).toEqual([0, 1, 2, 3])
  })

  it('moves a folder with all that lies in it, last among its new siblings, and closes the gap it leaves', async () => {
    const project = await makeProject(server)
    const a = await makeFolder(server, project, { name: 'a' })
    await makeFolder(server, project, { name: 'a1', parent_id: a.id })
    const b = await makeFolder(server, project, { name: 'b' })
    await makeFolder(server, project, { name: 'b1', parent_id: b.id })
    await makeFolder(server, project, { name: 'c' })
    const { body } = await change(project, a.id, { parent_id: b.id })
    expect(body.data).toMatchObject({ parent_id: b.id, position: 1 })
    expect(await display(project)).toEqual(['b', '.b1', '.a', '..a1', 'c'])
    expect((await listFolders(project)).filter((one) => one.parent_id === null).map((one) => one.position)).toEqual([
      0, 1,
    ])
  })

  it('moves a folder to the top for parent_id null', async () => {
    const project = await makeProject(server)
    const [, child] = await makeChain(project, 2)
    await change(project, child?.id ?? '', { parent_id: null })
    expect(await display(project)).toEqual(['level 1', 'level 2'])
  })

  it('refuses a move into itself or anywhere below itself', async () => {
    const project = await makeProject(server)
    const chain = await makeChain(project, 3)
    for (const { id: parent_id } of chain) {
      const options = { token: project.admin.token, body: { parent_id } }
      const problem = await server.refused(400, 'PATCH', pathOf(project, chain[0]?.id), options)
      expect(problem.errors?.[0]?.path).toBe('/parent_id')
    }
  })

  it('refuses a move that would put its lowest subfolder on an eleventh level, and takes one on the tenth', async () => {
    const project = await makeProject(server)
    const chain = await makeChain(project, 8)
    const moved = await makeFolder(server, project)
    const below = await makeFolder(server, project, { parent_id: moved.id })
    const body = { parent_id: chain[7]?.id }
    expect((await change(project, moved.id, body)).status).toBe(200)
    await change(project, moved.id, { parent_id: null })
    await makeFolder(server, project, { parent_id: below.id })
    await server.refused(400, 'PATCH', pathOf(project, moved.id), { token: project.admin.token, body })
  })

  it('is 404 for an unknown folder and for one of another project', async () => {
    const project = await makeProject(server)
    const elsewhere = await makeFolder(server, await makeProject(server))
    for (const id of [unknownId, 'nonsense', elsewhere.id, elsewhere.id.toUpperCase()]) {
      await server.refused(404, 'PATCH', pathOf(project, id), { token: project.admin.token, body: { name: 'x' } })
      await server.refused(404, 'DELETE', pathOf(project, id), { token: project.admin.token })
    }
  })

  it('never lets two moves at once tie a knot', async () => {
    const project = await makeProject(server)
    const [a, b] = [await makeFolder(server, project), await makeFolder(server, project)]
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        change(project, a.id, { parent_id: b.id }),
        change(project, b.id, { parent_id: a.id }),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
      expect(await listFolders(project)).toHaveLength(2)
      await Promise.all([a, b].map(({ id }) => change(project, id, { parent_id: null })))
    }
  })
})

describe('DELETE /v1/projects/:project_id/folders/:folder_id', () => {
  it('answers with a message', async () => {
    const project = await makeProject(server)
    const answer = await remove(project, (await makeFolder(server, project)).id)
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect(Object.keys(answer.body)).toEqual(['message'])
  })

  it('moves its subfolders up to its parent, in its own place', async () => {
    const project = await makeProject(server)
    const parent = await makeFolder(server, project, { name: 'p' })
    for (const name of ['a', 'gone', 'z']) {
      const folder = await makeFolder(server, project, { name, parent_id: parent.id })
      if (name === 'gone')
        for (const sub of ['x', 'y']) await makeFolder(server, project, { name: sub, parent_id: folder.id })
    }
    const gone = (await listFolders(project)).find(({ name }) => name === 'gone')
    await remove(project, gone?.id ?? '')
    expect(await display(project)).toEqual(['p', '.a', '.x', '.y', '.z'])
    expect((await listFolders(project)).map(({ position }) => position)).toEqual([0, 0, 1, 2, 3])
  })

  it('moves its test cases up to its parent, and its parent’s count with them', async () => {
    const project = await makeProject(server)
    const [parent, child] = await makeChain(project, 2)
    await makeCase(server, project, { folder_id: parent?.id ?? null })
    const moved = await makeCase(server, project, { folder_id: child?.id ?? null })
    await remove(project, child?.id ?? '')
    expect(await listFolders(project)).toMatchObject([{ id: parent?.id, test_case_count: 2 }])
    const path = `/v1/projects/${project.id}/test-cases/${moved.id}`
    const { body } = await server.request('GET', path, { token: project.admin.token })
    expect(body['data']).toMatchObject({ folder_id: parent?.id })
  })

  it('leaves the cases of a top folder without a folder', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    await makeCase(server, project, { folder_id: folder.id })
    await remove(project, folder.id)
    const path = `/v1/projects/${project.id}/test-cases?folder_id=none`
    const { body } = await server.request('GET', path, { token: project.admin.token })
    expect(body).toMatchObject({ data: [{ folder_id: null }], meta: { total: 1 } })
  })

  it('loses no case that is created or moved there meanwhile', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const other = await makeCase(server, project)
    const create = () =>
      server.request('POST', `/v1/projects/${project.id}/test-cases`, {
        token: project.admin.token,
        body: { title: 'x', folder_id: folder.id },
      })
    const move = () =>
      server.request('PATCH', `/v1/projects/${project.id}/test-cases/${other.id}`, {
        token: project.admin.token,
        body: { folder_id: folder.id },
      })
    const answers = await Promise.all([create(), create(), remove(project, folder.id), move(), create()])
    expect(answers.every(({ status }) => [200, 201, 400].includes(status))).toBe(true)
    const made = answers.filter(({ status }) => status === 201).length
    const path = `/v1/projects/${project.id}/test-cases?folder_id=none`
    const { body } = await server.request('GET', path, { token: project.admin.token })
    expect(body['meta']).toMatchObject({ total: made + 1 })
  })
})

describe('folders', () => {
  it('may be changed by members, only seen by viewers and CI tokens, and neither by strangers', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    const member = await makeMember(server, project.id, 'member')
    const ok = await server.request('POST', pathOf(project), { token: member.token, body: { name: 'x' } })
    expect(ok.status).toBe(201)
    const { token: viewer } = await makeMember(server, project.id, 'viewer')
    for (const token of [viewer, await makeCiToken(server, project)]) {
      expect((await server.request('GET', pathOf(project), { token })).status).toBe(200)
      await server.refused(403, 'POST', pathOf(project), { token, body: {} })
      await server.refused(403, 'PATCH', pathOf(project, folder.id), { token, body: { name: 5 } })
      await server.refused(403, 'DELETE', pathOf(project, unknownId), { token })
    }
    await server.refused(403, 'GET', pathOf(project), { token: (await makeUser(server)).token })
  })

  it('go with their project, also with cases and subfolders in them', async () => {
    const project = await makeProject(server)
    const chain = await makeChain(project, 3)
    for (const { id } of chain) await makeCase(server, project, { folder_id: id })
    const answer = await server.request('DELETE', `/v1/projects/${project.id}`, { token: project.admin.token })
    expect(answer.status).toBe(200)
    expect(await server.db.selectFrom('folders').select('id').where('project_id', '=', project.id).execute()).toEqual(
      [],
    )
  })

  it('keep one tree with gapless positions, whatever is created, moved and deleted', async () => {
    const step = fc.record({
      verb: fc.constantFrom('create', 'move', 'delete'),
      on: fc.nat(),
      to: fc.nat(),
      position: fc.option(fc.nat(5), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const project = await makeProject(server)
        for (const { verb, on, to, position } of steps) {
          const ids = (await listFolders(project)).map(({ id }) => id)
          const id = ids[on % (ids.length || 1)] ?? unknownId
          const place = { parent_id: [...ids, null][to % (ids.length + 1)] ?? null, position }
          const options = { token: project.admin.token, body: { name: 'x', ...place } }
          const answer =
            verb === 'create'
              ? await server.request('POST', pathOf(project), options)
              : await server.request(verb === 'move' ? 'PATCH' : 'DELETE', pathOf(project, id), options)
          expect(answer.status).toBeLessThan(500)
        }
        const rows = await server.db.selectFrom('folders').selectAll().where('project_id', '=', project.id).execute()
        const folders = await listFolders(project)
        expect(folders).toHaveLength(rows.length)
        for (const parent of new Set(folders.map(({ parent_id }) => parent_id))) {
          const positions = folders.filter(({ parent_id }) => parent_id === parent).map((one) => one.position)
          expect(positions).toEqual(positions.map((_, index) => index))
        }
      }),
      { numRuns: 5 },
    )
  })
})
