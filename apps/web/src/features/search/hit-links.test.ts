import type { SearchHit } from '@caseward/client/endpoints'
import { expect, it } from 'vitest'

import { describeHit, getHitPath } from './hit-links.ts'

const hit = (fields: Partial<SearchHit>): SearchHit => ({
  kind: 'test_case',
  id: 'WEB-1',
  project_id: 'p1',
  title: 'Pays',
  detail: null,
  ...fields,
})
const names = new Map([['p1', 'Web shop']])

it.each([
  [hit({}), '/projects/p1/cases/WEB-1', 'WEB-1 · Web shop'],
  [hit({ kind: 'run', id: 'r1', detail: 'in_progress' }), '/runs/r1', 'In progress · Web shop'],
  [hit({ kind: 'milestone', id: 'm1', detail: 'active' }), '/projects/p1/milestones/m1', 'Active · Web shop'],
  [hit({ kind: 'project', id: 'p1', detail: 'WEB' }), '/projects/p1', 'WEB'],
])('leads from %j to %s', (found, path, words) => {
  expect([getHitPath(found), describeHit(found, names)]).toEqual([path, words])
})

it('does not name the project that is open', () => {
  expect(describeHit(hit({}), names, 'p1')).toBe('WEB-1')
})
