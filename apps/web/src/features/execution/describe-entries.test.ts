import { expect, it } from 'vitest'

import { mergeWrite } from '../../outbox/outbox-entry.ts'
import { describeEntries } from './describe-entries.ts'

it('writes unsaved results with their notes', () => {
  const write = { runId: 'run1', resultId: 'r1', testCaseId: 'WEB-1', title: 'Pays by card', base: null } as const
  const entries = [
    mergeWrite(undefined, { ...write, status: 'failed', note: 'wrong\ntotal' }, 1),
    mergeWrite(undefined, { ...write, status: 'not_tested', testCaseId: null }, 2),
  ]
  expect(describeEntries(entries)).toBe('WEB-1 Pays by card: failed\nwrong\ntotal\n\nPays by card: not tested')
})
