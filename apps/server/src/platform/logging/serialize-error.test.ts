import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

import { serializeError } from './serialize-error.ts'

const server = useTestServer()

describe('an unexpected error of PostgreSQL', () => {
  it('is logged with its constraint, and without the row that it quotes', async () => {
    const { token } = await makeUser(server)
    await sql`alter table projects add constraint projects_fail check (name <> 'Private name')`.execute(server.db)
    await server.expectProblem(500, 'POST', '/v1/projects', { token, body: { name: 'Private name', prefix: 'PRV' } })
    const line = server.logged.find((text) => text.includes('unexpected error')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({
      err: { code: '23514', constraint: 'projects_fail', stack: expect.stringContaining('violates') },
    })
    expect(server.logged.join('\n')).not.toMatch(/Private name|Failing row/)
  })
})

describe('serializeError', () => {
  it('keeps code, message and stack, and drops properties that may contain data', () => {
    const data = { code: '42601', where: 'secret', internalQuery: 'secret', config: { headers: 'secret' } }
    const serialized = serializeError(Object.assign(new TypeError('syntax'), data))
    expect(serialized).toEqual({ type: 'TypeError', message: 'syntax', stack: expect.any(String), code: '42601' })
  })

  it('serializes each error of an AggregateError, and the cause of an error, without their data', () => {
    const inner = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', detail: 'secret' })
    const serialized = [serializeError(new AggregateError([inner])), serializeError(new Error('x', { cause: inner }))]
    expect(serialized[0]).toMatchObject({ aggregateErrors: [{ message: 'refused', code: 'ECONNREFUSED' }] })
    expect(serialized[1]).toMatchObject({ message: 'x: refused', stack: expect.stringContaining('refused') })
    expect(JSON.stringify(serialized)).not.toContain('secret')
  })

  it('returns what is not an error unchanged', () => {
    expect(serializeError('text')).toBe('text')
  })
})
