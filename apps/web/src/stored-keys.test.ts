import { readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from './browser-storage.ts'
import { createDrafts } from './drafts/drafts.ts'
import { MemoryStorage } from './memory-storage.test.helper.ts'
import { getOutboxPrefix } from './outbox/outbox-store.ts'
import { PREFERENCES_KEY } from './preferences.ts'
import { DATABASE_NAME } from './uploads/blob-store.ts'
import { getUploadPrefix } from './uploads/upload-entry.ts'

/* The page `/sign-out` removes everything else without a question. */

describe('the script of /sign-out', () => {
  it('knows the keys of what was never sent, and of the preferences', async () => {
    const script = await readFile(new URL('../../server/assets/sign-out.js', import.meta.url), 'utf8')
    for (const text of [
      `'${PREFERENCES_KEY}'`,
      `'${DATABASE_NAME}'`,
      "isUnsent(key, 'outbox', user)",
      "isUnsent(key, 'draft', user)",
      "isUnsent(key, 'upload', user)",
    ]) {
      expect(script).toContain(text)
    }
    const memory = new MemoryStorage()
    const storage = createBrowserStorage(() => memory)
    createDrafts('user@1', storage).save('note', 'Typed')
    expect(storage.list('')).toEqual(['caseward:draft:user%401:note'])
    expect(getOutboxPrefix('user@1')).toBe('caseward:outbox:user%401:')
    expect(getUploadPrefix('user@1')).toBe('caseward:upload:user%401:')
  })
})
