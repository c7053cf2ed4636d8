import { expect, it } from 'vitest'

import { filterEntries, getAppEntries } from './palette-entries.ts'

const context = {
  projectId: 'p1',
  mayExecute: true,
  mayManage: true,
  isInstanceAdmin: true,
  openKeyGuide: () => {},
}
const entries = getAppEntries(context)
const find = (typed: string) => filterEntries(entries, typed).map(({ id }) => id)

it.each([
  ['run', ['runs', 'new-run']],
  ['new r', ['new-run']],
  ['r new', ['new-run']],
  ['KEYS', ['keys', 'guide']],
  ['un', []],
])('finds entries by the beginnings of their words: %s', (typed, ids) => {
  expect(find(typed)).toEqual(ids)
})

it('offers everything before something is typed', () => {
  expect(find(' ').length).toBe(entries.length)
})

it('offers only what exists and is allowed', () => {
  const ids = (changes: Partial<Parameters<typeof getAppEntries>[0]>) =>
    getAppEntries({ ...context, ...changes }).map(({ id }) => id)
  expect(ids({})).toEqual(expect.arrayContaining(['new-run', 'cases', 'project-audit', 'admin-users', 'admin-audit']))
  expect(ids({ mayExecute: false })).not.toContain('new-run')
  expect(ids({ projectId: undefined })).not.toContain('cases')
  const managed = ['settings', 'ci-tokens', 'project-audit']
  expect(ids({})).toEqual(expect.arrayContaining(managed))
  expect(ids({ mayManage: false }).filter((id) => managed.includes(id))).toEqual([])
  expect(ids({ isInstanceAdmin: false }).filter((id) => id.startsWith('admin'))).toEqual([])
})
