import { makeField, makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { expect, it, describe } from 'vitest'

import { makeVersionScenario } from '@caseward/test-support/version-scenario'

const server = useSharedServer()
const options = ['low', 'high'].map((key) => ({ key, label: key }))

describe('POST …/versions/:version/restore', () => {
  it('makes a new version with the earlier fields', async () => {
    const { project, patch, restore, list, read, get } = await makeVersionScenario(server, {
      title: 'First',
      steps: [{ action: 'Pay', expected: 'Paid' }],
      tags: ['a'],
    })
    await makeField(server, project, { key: 'risk', type: 'number' })
    await patch({ title: 'Second', steps: [], tags: [], estimate: 60, automation_keys: ['a key'], fields: { risk: 2 } })
    const { status, body } = await restore(1)
    expect({ status, skipped: body.data.skipped }).toEqual({ status: 200, skipped: [] })
    const now = await read()
    expect(body.data).toMatchObject(now)
    const { version: _, ...first } = (await get(1)).body.data
    expect(now).toMatchObject({
      title: first.title,
      steps: first.steps,
      tags: ['a'],
      estimate: null,
      automation_keys: [],
      version: 3,
    })
    expect(now).not.toHaveProperty('fields')
    expect((await list()).data[0]).toMatchObject({ version: 3, via: 'restore', summary: 'Restored version 1' })
    expect((await restore(3)).body).toMatchObject({ code: 'already_current' })
  })

  it('leaves what does not exist any more as it is, and lists it', async () => {
    const { project, root, send, patch, restore, read } = await makeVersionScenario(server)
    const folder = await makeFolder(server, project)
    const ada = await makeMember(server, project.id, 'member')
    const field = async (key: string, body: object) => await makeField(server, project, { key, ...body })
    await field('severity', { type: 'select', options })
    const risk = await field('risk', { type: 'number' })
    const due = await field('due', { type: 'date' })
    await field('keeper', { type: 'user' })
    await patch({
      folder_id: folder.id,
      owner_id: ada.id,
      automation_keys: ['checkout.pays'],
      fields: { severity: 'high', risk: 5, due: '2026-01-01', keeper: ada.id },
      title: 'Kept',
    })
    const cleared = { severity: null, risk: null, due: null, keeper: null }
    await patch({ folder_id: null, owner_id: null, automation_keys: [], fields: cleared, title: 'Other' })
    await send('DELETE', `${root}/folders/${folder.id}`)
    await send('DELETE', `${root}/members/${ada.id}`)
    await makeTestCase(server, project, { automation_keys: ['checkout.pays'] })
    await send('PATCH', `${root}/fields/${risk.id}`, { max: 4 })
    await send('POST', `${root}/fields/${due.id}/retire`)
    const { status, body } = await restore(2)
    expect(status).toBe(200)
    const byField = Object.fromEntries(body.data.skipped.map(({ field: name, reason }) => [name, reason]))
    expect(byField).toEqual({
      folder_id: 'not_found',
      owner_id: 'not_a_member',
      automation_keys: 'in_use',
      'fields.risk': 'invalid',
      'fields.due': 'retired',
      'fields.keeper': 'not_a_member',
    })
    expect(await read()).toMatchObject({ title: 'Kept', folder_id: null, owner_id: null, fields: { severity: 'high' } })
  })

  it('returns 412 for another version than that of If-Match, and changes nothing', async () => {
    const { patch, restore, read } = await makeVersionScenario(server)
    await patch({ title: 'Two' })
    await patch({ title: 'Three' })
    const { status, body } = await restore(1, { 'if-match': '"2"' })
    expect({ status, code: body.code }).toEqual({ status: 412, code: 'changed_meanwhile' })
    expect((await read()).version).toBe(3)
    expect((await restore(1, { 'if-match': '"3"' })).status).toBe(200)
    expect((await restore(9)).status).toBe(404)
  })
})
