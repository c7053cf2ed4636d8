import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { recordAudit, SYSTEM_ACTOR, toActor } from './record-audit.ts'

const server = useTestServer()
const entry = { action: 'instance.update_settings', subject: { kind: 'instance', id: null, name: 'Settings' } } as const
const selectEntries = (action: string) =>
  server.db.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('id').execute()

describe('recordAudit', () => {
  it('stores nothing when the transaction is rolled back', async () => {
    const rolledBack = server.db.transaction().execute(async (tx) => {
      await recordAudit(tx, SYSTEM_ACTOR, entry)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await selectEntries(entry.action)).toEqual([])
  })

  it('names the system without an address', async () => {
    await recordAudit(server.db, SYSTEM_ACTOR, { ...entry, action: 'user.create' })
    expect(await selectEntries('user.create')).toMatchObject([
      { actor_kind: 'system', actor_id: null, actor_name: 'System', actor_email: null, token_id: null, address: null },
    ])
  })

  it('keeps at most 64 characters of an address, which a client may have forged', async () => {
    const actor = { ...SYSTEM_ACTOR, address: '=cmd '.repeat(1000) }
    await recordAudit(server.db, actor, { ...entry, action: 'user.disable' })
    expect((await selectEntries('user.disable'))[0]?.address).toHaveLength(64)
  })

  it('names a CI token', async () => {
    const project = await makeProject(server)
    await makeCiToken(server, project)
    const { id } = await server.db
      .selectFrom('api_tokens')
      .select('id')
      .where('kind', '=', 'ci')
      .executeTakeFirstOrThrow()
    const principal = { kind: 'ci', key: id, projectId: project.id, access: 'write', grants: [] } as const
    const actor = toActor(principal, { ip: '::1', headers: {} })
    await recordAudit(server.db, actor, { ...entry, action: 'run.delete', projectId: project.id })
    expect(await selectEntries('run.delete')).toMatchObject([
      {
        actor_kind: 'token',
        actor_id: id,
        actor_name: 'CI',
        token_id: null,
        token_name: null,
        project_name: 'Web shop',
      },
    ])
  })

  it('creates ids in the order of the entries, with their times', async () => {
    for (let count = 0; count < 20; count += 1) {
      const detail = { count }
      await recordAudit(server.db, SYSTEM_ACTOR, { ...entry, action: 'user.enable', detail })
    }
    const entries = await selectEntries('user.enable')
    expect(entries.map(({ detail }) => detail)).toEqual(Array.from({ length: 20 }, (_, count) => ({ count })))
    for (const { id, at } of entries) {
      expect(id.startsWith(at.getTime().toString(16).padStart(12, '0').replace(/^.{8}/, '$&-'))).toBe(true)
    }
  })
})
