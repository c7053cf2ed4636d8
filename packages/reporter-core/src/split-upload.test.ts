import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { splitUpload } from './split-upload.ts'

const createItem = (id: number, details: string) => ({ name: `test ${id}`, attempts: [{ status: 'failed', details }] })
const TEN_MEGABYTES = 10 * 1024 * 1024
/** Returns the size of the request body, with a run id and a time. */
const getSize = (tests: object[]) =>
  Buffer.byteLength(
    JSON.stringify({ run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', tests, finished_at: new Date(0).toISOString() }),
  )

describe('splitUpload', () => {
  it('returns no uploads without tests', () => {
    expect(splitUpload([])).toEqual([])
  })

  it('returns one upload for 10,000 tests', () => {
    expect(splitUpload(Array.from({ length: 10_000 }, (_, id) => createItem(id, 'no')))).toHaveLength(1)
  })

  it('puts at most 100,000 tests into an upload', () => {
    const uploads = splitUpload(Array.from({ length: 200_001 }, (_, id) => createItem(id, '')))
    expect(uploads.map(({ length }) => length)).toEqual([100_000, 100_000, 1])
  })

  it('limits the bytes of an upload, also for characters that take six bytes', () => {
    const notes = Array.from({ length: 100 }, (_, id) => createItem(id, '\u0001'.repeat(65_536)))
    const uploads = splitUpload(notes)
    expect(uploads).toHaveLength(4)
    expect(Math.max(...uploads.map(getSize))).toBeLessThan(TEN_MEGABYTES)
  })

  it('puts a test that is too large into an upload of its own', () => {
    const uploads = splitUpload([createItem(1, ''), createItem(2, 'x'.repeat(11_000_000)), createItem(3, '')])
    expect(uploads.map((items) => items.map(({ name }) => name))).toEqual([['test 1'], ['test 2'], ['test 3']])
  })

  it('never exceeds the limits, and keeps every test in its order', () => {
    const note = fc.constantFrom('', 'no', 'ä'.repeat(50_000), '🐞'.repeat(65_536), '"'.repeat(65_536))
    fc.assert(
      fc.property(fc.array(note, { maxLength: 300, size: 'max' }), (notes) => {
        const items = notes.map((text, id) => createItem(id, text))
        const uploads = splitUpload(items)
        expect(uploads.flat()).toEqual(items)
        expect(uploads.every((upload) => upload.length > 0 && getSize(upload) <= TEN_MEGABYTES)).toBe(true)
      }),
      { numRuns: 10 },
    )
  })
})
