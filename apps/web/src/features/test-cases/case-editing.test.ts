import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { CaseDraft, CaseDraftStore } from './case-draft.ts'
import { type CaseEditingServer, ChangedMeanwhile, createCaseEditing, SAVE_AFTER_MS } from './case-editing.ts'
import { createEmptyCase } from './empty-case.ts'

/* The rules of editing. The server of these tests answers when the test says so; e2e/web/cases-editing.e2e.ts uses the real one. */

const testCase: TestCase = { ...createEmptyCase(null), id: 'WEB-1', title: 'Pays', version: 3 }

function start({ stored = testCase, draft = null }: { stored?: TestCase; draft?: CaseDraft | null } = {}) {
  const requests: { changes: UpdateTestCaseBody; version: number | null; answer: (reply: () => object) => void }[] = []
  const ask = (changes: UpdateTestCaseBody, version: number | null) =>
    new Promise<never>((resolve, reject) => {
      requests.push({
        changes,
        version,
        answer(reply) {
          try {
            resolve(reply() as never)
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  const server: CaseEditingServer = {
    create: (body) => ask(body, null),
    update: (_, changes, version) => ask(changes, version),
    canRetry: (error) => error === 'unreachable',
  }
  const kept: { draft: CaseDraft | null; id: string } = { draft, id: stored.id }
  const drafts: CaseDraftStore = {
    read: () => kept.draft,
    save(caseId, next) {
      kept.draft = next
      kept.id = caseId
    },
    remove(caseId) {
      if (kept.id === caseId) kept.draft = null
    },
  }
  const onSaved = vi.fn<(stored: TestCase) => void>()
  const editing = createCaseEditing(stored, server, drafts, onSaved)
  const answer = async (reply: () => object) => {
    requests.at(-1)?.answer(reply)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { editing, requests, kept, onSaved, answer }
}

const version = (number: number) => () => ({ version: number, updated_at: '2026-11-03T12:00:00.000Z' })
const changedMeanwhile = (stored: TestCase) => () => {
  throw new ChangedMeanwhile(stored, 'Ada')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a test case that is edited', () => {
  it('is saved once after a while without typing, with the version it is based on', async () => {
    const { editing, requests, kept, onSaved, answer } = start()
    editing.change({ title: 'Pays b' })
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS - 1)
    editing.change({ title: 'Pays by card' })
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS - 1)
    expect([requests.length, editing.getState().status, kept.draft?.changes]).toEqual([
      0,
      'unsaved',
      { title: 'Pays by card' },
    ])
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toMatchObject([{ changes: { title: 'Pays by card' }, version: 3 }])
    expect(editing.getState().status).toBe('saving')
    await answer(version(4))
    expect(editing.getState()).toMatchObject({
      status: 'saved',
      changes: {},
      saved: { title: 'Pays by card', version: 4 },
    })
    expect([kept.draft, onSaved.mock.calls.length]).toEqual([null, 1])
  })

  it('keeps what is typed during a request, and sends it with the new version', async () => {
    const { editing, requests, answer } = start()
    editing.change({ title: 'One' })
    editing.save()
    editing.change({ title: 'Two' })
    editing.save()
    expect(requests.length).toBe(1)
    await answer(version(4))
    expect(requests.at(-1)).toMatchObject({ changes: { title: 'Two' }, version: 4 })
    await answer(version(5))
    expect(editing.getState()).toMatchObject({ status: 'saved', saved: { title: 'Two', version: 5 } })
  })

  it('sends what is changed back while a request is on its way', async () => {
    const { editing, requests, kept, answer } = start({ stored: { ...testCase, fields: { browser: 'Firefox' } } })
    editing.change({ title: 'Other', fields: { browser: 'Chrome' }, steps: [{ action: 'Open' }] })
    editing.save()
    editing.change({ title: 'Pays', fields: { browser: 'Firefox' }, steps: [] })
    editing.save()
    expect(kept.draft?.changes).toEqual({ title: 'Pays', fields: { browser: 'Firefox' }, steps: [] })
    await answer(version(4))
    expect(requests.at(-1)).toMatchObject({
      changes: { title: 'Pays', fields: { browser: 'Firefox' }, steps: [] },
      version: 4,
    })
    await answer(version(5))
    expect(editing.getState()).toMatchObject({ status: 'saved', changes: {}, saved: { title: 'Pays', steps: [] } })
    expect(requests.length).toBe(2)
  })

  it('sends nothing that is as before, and no empty title', async () => {
    const { editing, requests } = start()
    editing.change({ title: 'Other' })
    editing.change({ title: 'Pays' })
    editing.save()
    editing.change({ title: ' ' })
    editing.save()
    await vi.advanceTimersByTimeAsync(10 * SAVE_AFTER_MS)
    expect(requests.length).toBe(0)
  })

  it('merges the change of somebody else in another field, and asks about the same field', async () => {
    const { editing, requests, answer } = start()
    editing.change({ title: 'Mine', precondition: 'Also mine' })
    editing.save()
    await answer(changedMeanwhile({ ...testCase, title: 'Theirs', tags: ['new'], version: 4 }))
    const { conflict, status } = editing.getState()
    expect(status).toBe('not-saved')
    expect(conflict).toMatchObject({
      changedBy: 'Ada',
      conflicts: [{ field: 'title', own: 'Mine', stored: 'Theirs' }],
      ownChanges: { precondition: 'Also mine' },
    })
    editing.resolve(new Set())
    expect(requests.at(-1)).toMatchObject({ changes: { precondition: 'Also mine' }, version: 4 })
    await answer(version(5))
    expect(editing.getState().saved).toMatchObject({ title: 'Theirs', precondition: 'Also mine', tags: ['new'] })
  })

  it('tries again by itself if that may help, and waits for the user otherwise', async () => {
    const { editing, requests, answer, kept } = start()
    editing.change({ title: 'Mine' })
    editing.save()
    await answer(() => {
      // oxlint-disable-next-line no-throw-literal -- any value stands for a failure
      throw 'unreachable'
    })
    expect(editing.getState().status).toBe('not-saved')
    await vi.advanceTimersByTimeAsync(5000)
    expect(requests.length).toBe(2)
    await answer(() => {
      // oxlint-disable-next-line no-throw-literal -- any value stands for a failure
      throw 'refused'
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.length).toBe(2)
    expect(kept.draft?.changes).toEqual({ title: 'Mine' })
  })

  it('takes over what others have changed, unless it is older or in conflict', async () => {
    const { editing, answer } = start()
    editing.accept({ ...testCase, title: 'Theirs', version: 4 })
    expect(editing.getState().saved.title).toBe('Theirs')
    editing.accept({ ...testCase, title: 'Older', version: 3 })
    expect(editing.getState().saved.title).toBe('Theirs')
    editing.change({ title: 'Mine' })
    editing.accept({ ...testCase, title: 'Newer', version: 5 })
    expect(editing.getState().changes).toEqual({ title: 'Mine' })
    editing.save()
    editing.accept({ ...testCase, title: 'Mine', precondition: 'Theirs', version: 6 })
    await answer(version(5))
    expect(editing.getState().saved).toMatchObject({ title: 'Mine', precondition: 'Theirs', version: 6 })
  })

  it('continues with its draft, and asks if somebody has changed the same field since', async () => {
    const draft = { changes: { title: 'Mine' }, before: { title: 'Pays' }, version: 2 }
    const continued = start({ draft })
    expect(continued.editing.getState()).toMatchObject({ status: 'unsaved', changes: { title: 'Mine' } })
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
    expect(continued.requests).toMatchObject([{ changes: { title: 'Mine' }, version: 3 }])
    const asked = start({ draft, stored: { ...testCase, title: 'Theirs' } })
    expect(asked.editing.getState().conflict?.conflicts).toMatchObject([{ own: 'Mine', stored: 'Theirs' }])
  })
})

describe('a new test case', () => {
  it('keeps what is typed while it is created as a draft of the test case that it has become', async () => {
    const { editing, kept, answer } = start({ stored: createEmptyCase(null) })
    editing.change({ title: 'Pays' })
    editing.save()
    editing.change({ precondition: 'A guest' })
    expect(kept.id).toBe('')
    await answer(() => ({ ...testCase, version: 1 }))
    expect(kept).toEqual({
      id: 'WEB-1',
      draft: { changes: { precondition: 'A guest' }, before: { precondition: '' }, version: 1 },
    })
  })

  it('is created once it has a title, in its folder, and edited afterwards', async () => {
    const { editing, requests, kept, answer } = start({ stored: createEmptyCase('folder') })
    editing.change({ precondition: 'A guest' })
    editing.save()
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS)
    expect([requests.length, kept.draft?.changes]).toEqual([0, { precondition: 'A guest' }])
    editing.change({ title: 'Pays' })
    editing.save()
    expect(requests.at(-1)?.changes).toEqual({ folder_id: 'folder', precondition: 'A guest', title: 'Pays' })
    await answer(() => ({ ...testCase, version: 1 }))
    expect([editing.getState().saved.id, kept.draft]).toEqual(['WEB-1', null])
    editing.change({ title: 'Pays by card' })
    expect([kept.id, kept.draft?.changes]).toEqual(['WEB-1', { title: 'Pays by card' }])
    editing.save()
    expect(requests.at(-1)).toMatchObject({ changes: { title: 'Pays by card' }, version: 1 })
  })
})
