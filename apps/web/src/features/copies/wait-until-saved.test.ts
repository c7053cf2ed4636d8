import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../../browser-storage.ts'
import { createDrafts } from '../../drafts/drafts.ts'
import { getCaseItem } from '../../drafts/unsent-cases.ts'
import { MemoryStorage } from '../../memory-storage.test.helper.ts'
import { waitUntilSaved } from './wait-until-saved.ts'

describe('waitUntilSaved', () => {
  it('waits for what was typed into the test cases, for a while, and not for others', async () => {
    const storage = new MemoryStorage()
    const drafts = createDrafts(
      'ada',
      createBrowserStorage(() => storage),
    )
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) drafts.save(getCaseItem('web', id), '{}')
    const waiting = waitUntilSaved(drafts, 'web', ['WEB-1', 'WEB-2'])
    drafts.remove(getCaseItem('web', 'WEB-1'))
    drafts.remove(getCaseItem('web', 'WEB-2'))
    expect(await waiting).toEqual([])
    expect(await waitUntilSaved(drafts, 'web', ['WEB-2', 'WEB-3'], 0)).toEqual(['WEB-3'])
    expect(await waitUntilSaved(drafts, 'other', ['WEB-3'])).toEqual([])
  })
})
