import { expect, it } from 'vitest'

import { filterEntries, getAppEntries } from './palette-entries.ts'

const entries = getAppEntries({ projectId: 'p1', mayExecute: true, mayManage: true, openKeyGuide: () => {} })
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
  const ids = (context: { projectId: string | undefined; mayExecute: boolean; mayManage?: boolean }) =>
    getAppEntries({ mayManage: false, ...context, openKeyGuide: () => {} }).map(({ id }) => id)
  expect(ids({ projectId: 'p1', mayExecute: false })).not.toContain('new-run')
  expect(ids({ projectId: 'p1', mayExecute: true })).not.toContain('settings')
  expect(ids({ projectId: undefined, mayExecute: true })).not.toContain('cases')
})
