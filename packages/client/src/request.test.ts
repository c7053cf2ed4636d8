import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getProject, listProjects, updateResult, uploadResults } from './endpoints.generated.ts'
import { authorization, baseUrl, mergeHeaders, buildBody, buildPath } from './request.ts'

describe('baseUrl', () => {
  it.each([
    ['https://caseward.example.com', 'https://caseward.example.com'],
    ['https://caseward.example.com/', 'https://caseward.example.com'],
    ['  http://localhost:3000// ', 'http://localhost:3000'],
    ['https://example.com/caseward/', 'https://example.com/caseward'],
    ['https://example.com/v1', 'https://example.com'],
    ['https://example.com/v1/', 'https://example.com'],
  ])('takes %j as %j', (given, base) => {
    expect(baseUrl(given)).toBe(base)
  })

  it.each(['', '/caseward', 'caseward.example.com', 'localhost:3000', 'ftp://example.com', 'not a url'])(
    'refuses %j, which is no server address outside of a page',
    (given) => {
      expect(() => baseUrl(given)).toThrow(/^Not the address of a server/)
    },
  )

  it.each(['https://user:secret@example.com', 'https://example.com?a=1', 'https://example.com/#top'])(
    'refuses %j and does not repeat it',
    (given) => {
      expect(() => baseUrl(given)).toThrow('The address of a server has no user name, "?" or "#" in it.')
    },
  )
})

describe('authorization', () => {
  it('drops the line break that a secret read from a file ends in', () => {
    expect(authorization('cwc_abc\n')).toEqual({ authorization: 'Bearer cwc_abc' })
  })

  it('is absent without a token', () => {
    expect(authorization(undefined)).toEqual({})
  })

  it.each(['', ' ', 'cwc_secret with spaces', 'cwc_secret\r\nX-Evil: 1', 'cwc_secret…'])(
    'refuses %j without repeating it',
    (token) => {
      expect(() => authorization(token)).toThrow(/^The token is empty or holds/)
    },
  )
})

describe('target', () => {
  it('fills in the path and the query', () => {
    const params = { run_id: 'r 1', result_id: 'WEB-12' }
    expect(buildPath(updateResult, { params })).toBe('/v1/runs/r%201/results/WEB-12')
    expect(buildPath(listProjects, { query: { page: 2, per_page: undefined } })).toBe('/v1/projects?page=2')
    expect(buildPath(uploadResults, { query: { run_id: 'a&b', dry_run: true } })).toBe(
      '/v1/results?run_id=a%26b&dry_run=true',
    )
  })

  it.each(['', '.', '..'])('refuses %j as a path parameter, since it would lead to another endpoint', (project_id) => {
    expect(() => buildPath(getProject, { params: { project_id } })).toThrow(TypeError)
  })

  it('keeps any other path parameter in its place', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => value !== '.' && value !== '..'),
        (project_id) => {
          const { pathname, search, hash } = new URL(buildPath(getProject, { params: { project_id } }), 'http://h')
          expect(search + hash).toBe('')
          expect(decodeURIComponent(pathname.replace('/v1/projects/', ''))).toBe(project_id)
        },
      ),
    )
  })
})

describe('payload', () => {
  it('is JSON', () => {
    expect(buildBody({ body: { name: 'Web', description: undefined } })).toEqual({
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Web"}',
    })
  })

  it('is the bytes as they are, of their own type', () => {
    const body = new Uint8Array([0xff, 0xfe, 0x3c, 0x00])
    expect(buildBody({ rawBody: { contentType: 'application/xml', body } })).toEqual({
      headers: { 'content-type': 'application/xml' },
      body,
    })
  })

  it('is nothing, and has no media type, without a body', () => {
    expect(buildBody({})).toEqual({ headers: {} })
  })
})

describe('mergeHeaders', () => {
  it('lets the later one count, in whatever case it is written', () => {
    const headers = mergeHeaders({ authorization: 'Bearer a' }, undefined, { Authorization: 'Bearer b' })
    expect([...headers]).toEqual([['authorization', 'Bearer b']])
  })
})
