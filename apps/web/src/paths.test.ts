import fc from 'fast-check'
import { matchPath } from 'react-router'
import { describe, expect, it } from 'vitest'

import { getGroupPath, getTabPath, insightSearch } from './features/insight/insight-paths.ts'
import { parseCaseId, paths, routePatterns } from './paths.ts'
import { formatSearch, parseSearch, type SearchSchema } from './search-params.ts'
import { searchSchemas } from './search-schemas.ts'

describe('paths', () => {
  it('build the URL of every page', () => {
    expect([
      paths.projects(),
      paths.project('p'),
      paths.cases('p', { folder: 'f', q: 'a b', priority: ['critical'], case: 'WEB-1', sort: 'title' }),
      paths.importCases('p', { step: 'preview' }),
      paths.case('p', 'WEB-1'),
      paths.runs('p', { status: 'all', page: 2 }),
      paths.newRun('p', { from: 'r', status: ['failed', 'blocked'] }),
      paths.run('r', { status: ['failed'], new: true }),
      paths.runTests('r', { match: 'unmatched', outcome: 'flaky', errors: true }),
      paths.tests('p', { q: 'card', test: 't' }),
      paths.milestones('p', { status: 'all', new: true }),
      paths.execution('r', { result: 'x' }),
      paths.account(),
      paths.account('keys'),
      paths.projectAudit('p', { action: 'run.delete', from: '2026-11-03' }),
      paths.users({ q: 'ada', status: 'disabled' }),
      paths.audit({ actor: 'a', to: '2026-11-03', entry: 'e' }),
      paths.instanceSettings(),
      paths.caseById('WEB-1'),
      paths.signIn('/runs/r?q=1'),
    ]).toEqual([
      '/',
      '/projects/p',
      '/projects/p/cases?folder=f&q=a+b&priority=critical&sort=title&case=WEB-1',
      '/projects/p/cases/import?step=preview',
      '/projects/p/cases/WEB-1',
      '/projects/p/runs?page=2',
      '/projects/p/runs/new?from=r&status=failed&status=blocked',
      '/runs/r?status=failed&new=1',
      '/runs/r/tests?match=unmatched&outcome=flaky&errors=1',
      '/projects/p/tests?q=card&test=t',
      '/projects/p/milestones?status=all&new=1',
      '/runs/r/execute?result=x',
      '/account/profile',
      '/account/keys',
      '/projects/p/settings/audit?action=run.delete&from=2026-11-03',
      '/admin/users?q=ada&status=disabled',
      '/admin/audit?actor=a&to=2026-11-03&entry=e',
      '/admin/settings',
      '/WEB-1',
      '/sign-in?next=%2Fruns%2Fr%3Fq%3D1',
    ])
  })

  it('encode ids, so that none leads to another page', () => {
    expect(paths.case('a/b', '../x')).toBe('/projects/a%2Fb/cases/..%2Fx')
  })

  it('leave out defaults', () => {
    expect(paths.cases('p', { sort: 'tree', q: '', priority: [], folder: null, desc: false })).toBe('/projects/p/cases')
  })
})

describe('routePatterns', () => {
  it.each([
    ['projects', paths.projects(), {}],
    ['project', paths.project('a/b'), { projectId: 'a/b' }],
    ['cases', paths.cases('p'), { projectId: 'p' }],
    ['importCases', paths.importCases('p'), { projectId: 'p' }],
    ['importCases', paths.imports('p'), { projectId: 'p', importId: 'tool' }],
    ['importCases', paths.imports('p', 'i'), { projectId: 'p', importId: 'i' }],
    ['case', paths.case('p', 'WEB-1'), { projectId: 'p', caseId: 'WEB-1' }],
    ['runs', paths.runs('p'), { projectId: 'p' }],
    ['newRun', paths.newRun('p'), { projectId: 'p' }],
    ['run', paths.run('r'), { runId: 'r' }],
    ['milestones', paths.milestones('p'), { projectId: 'p' }],
    ['insight', paths.insight('p'), { projectId: 'p' }],
    ['insight', getTabPath('p', 'flaky', { branch: 'main' }).split('?')[0] ?? '', { projectId: 'p', tab: 'flaky' }],
    ['insight', getGroupPath('p', 'a1'), { projectId: 'p', tab: 'failures', signature: 'a1' }],
    ['execution', paths.execution('r'), { runId: 'r' }],
    ['file', paths.file('p', 'a'), { projectId: 'p', attachmentId: 'a' }],
    ['account', paths.account('keys'), { page: 'keys' }],
    ['admin', paths.audit(), { page: 'audit' }],
    ['projectAudit', paths.projectAudit('p'), { projectId: 'p' }],
    ['caseById', paths.caseById('WEB-1'), { caseId: 'WEB-1' }],
  ] as const)('match the URL of %s', (name, path, params) => {
    expect(matchPath(routePatterns[name], path)?.params).toEqual(params)
  })
})

describe('parseSearch', () => {
  const schemas: Readonly<Record<string, SearchSchema>> = { ...searchSchemas, insight: insightSearch }
  it.each(Object.keys(schemas))(
    'returns what formatSearch has written, and defaults for anything else, on the page %s',
    (page) => {
      const schema = schemas[page] ?? {}
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.constantFrom(...Object.keys(schema), 'other'), fc.string())), (pairs) => {
          const search = parseSearch(schema, new URLSearchParams(pairs))
          const again = parseSearch(schema, new URLSearchParams(formatSearch(schema, search)))
          expect(again).toEqual(search)
        }),
      )
    },
  )

  it('reads every value of a repeated parameter once, in the order of the schema', () => {
    const params = new URLSearchParams('priority=low&priority=critical&priority=low&priority=purple&tag=b&tag=a&tag=b')
    expect(parseSearch(searchSchemas.cases, params)).toMatchObject({ priority: ['critical', 'low'], tag: ['b', 'a'] })
  })

  it.each(['0', '-1', '1.5', 'x', '1e3', ''])('returns page 1 for page=%s', (value) => {
    expect(parseSearch(searchSchemas.runs, new URLSearchParams({ page: value })).page).toBe(1)
  })
})

describe('a day in a URL', () => {
  it.each([
    ['2026-11-03', '2026-11-03'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-30', null],
    ['2026-13-01', null],
    ['3.11.2026', null],
    ['', null],
  ])('is read from from=%s as %s', (value, parsed) => {
    expect(parseSearch(searchSchemas.audit, new URLSearchParams({ from: value })).from).toBe(parsed)
  })
})

describe('parseCaseId', () => {
  it('accepts an id as people type it', () => {
    expect(parseCaseId(' web-12 ')).toEqual({ id: 'WEB-12', prefix: 'WEB' })
  })
  it.each(['WEB', 'WEB-', 'WEB-0', 'W-1', 'WEBSHOP-1', 'WEB-1x', 'runs'])('rejects "%s"', (text) => {
    expect(parseCaseId(text)).toBeNull()
  })
})
