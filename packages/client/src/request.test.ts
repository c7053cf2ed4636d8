import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getProject, listProjects, listTestCases, updateResult, uploadResults } from './endpoints.generated.ts'
import { buildAuthorization, buildBody, buildPath, mergeHeaders, parseBaseUrl } from './request.ts'

describe('parseBaseUrl', () => {
  it.each([
    ['https://caseward.example.com', 'https://caseward.example.com'],
    ['https://caseward.example.com/', 'https://caseward.example.com'],
    ['  http://localhost:3000// ', 'http://localhost:3000'],
    ['https://example.com/caseward/', 'https://example.com/caseward'],
    ['https://example.com/v1', 'https://example.com'],
    ['https://example.com/v1/', 'https://example.com'],
  ])('parses %j as %j', (given, base) => {
    expect(parseBaseUrl(given)).toBe(base)
  })

  it.each(['', '/caseward', 'caseward.example.com', 'localhost:3000', 'ftp://example.com', 'not a url'])(
    'rejects %j, which is not a URL, outside of a browser',
    (given) => {
      expect(() => parseBaseUrl(given)).toThrow(/^Invalid server address/)
    },
  )

  it.each(['https://user:secret@example.com', 'https://example.com?a=1', 'https://example.com/#top'])(
    'rejects %j without repeating it',
    (given) => {
      expect(() => parseBaseUrl(given)).toThrow('Invalid server address: it must not contain a user name, "?" or "#".')
    },
  )
})

describe('buildAuthorization', () => {
  it('removes the line break at the end of a token', () => {
    expect(buildAuthorization('cwc_abc\n')).toEqual({ authorization: 'Bearer cwc_abc' })
  })

  it('returns no header without a token', () => {
    expect(buildAuthorization(undefined)).toEqual({})
  })

  it.each(['', ' ', 'cwc_secret with spaces', 'cwc_secret\r\nX-Evil: 1', 'cwc_secret…'])(
    'rejects the token %j without repeating it',
    (token) => {
      expect(() => buildAuthorization(token)).toThrow(/^Invalid token: it is empty/)
    },
  )
})

describe('buildPath', () => {
  it('repeats a query parameter for each item of a list, and sends a single value once', () => {
    const params = { project_id: 'p' }
    const query = { priority: ['high', 'low'], tag: 'a&b', type: [] }
    expect(buildPath(listTestCases, { params, query })).toBe(
      '/v1/projects/p/test-cases?priority=high&priority=low&tag=a%26b',
    )
  })

  it('inserts path parameters and appends the query', () => {
    const params = { run_id: 'r 1', result_id: 'WEB-12' }
    expect(buildPath(updateResult, { params })).toBe('/v1/runs/r%201/results/WEB-12')
    expect(buildPath(listProjects, { query: { page: 2, per_page: undefined } })).toBe('/v1/projects?page=2')
    expect(buildPath(uploadResults, { query: { run_id: 'a&b', dry_run: true } })).toBe(
      '/v1/results?run_id=a%26b&dry_run=true',
    )
  })

  it.each(['', '.', '..'])('rejects the path parameter %j, which would call another endpoint', (project_id) => {
    expect(() => buildPath(getProject, { params: { project_id } })).toThrow(TypeError)
  })

  it('encodes any other path parameter so that it stays in its place', () => {
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

describe('buildBody', () => {
  it('returns a body as JSON', () => {
    expect(buildBody({ body: { name: 'Web', description: undefined } })).toEqual({
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Web"}',
    })
  })

  it('returns a raw body unchanged with its media type', () => {
    const body = new Uint8Array([0xff, 0xfe, 0x3c, 0x00])
    expect(buildBody({ rawBody: { contentType: 'application/xml', body } })).toEqual({
      headers: { 'content-type': 'application/xml' },
      body,
    })
  })

  it('returns neither body nor media type without a body', () => {
    expect(buildBody({})).toEqual({ headers: {} })
  })
})

describe('mergeHeaders', () => {
  it('replaces an earlier header of the same name, case-insensitive', () => {
    const headers = mergeHeaders({ authorization: 'Bearer a' }, undefined, { Authorization: 'Bearer b' })
    expect([...headers]).toEqual([['authorization', 'Bearer b']])
  })
})
