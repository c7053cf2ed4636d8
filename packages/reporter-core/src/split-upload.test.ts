import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ResultItem } from './build-results.ts'
import { splitUpload } from './split-upload.ts'

const createItem = (id: number, note: string): ResultItem => ({ test_case_id: `WEB-${id}`, status: 'failed', note })
const TEN_MEGABYTES = 10 * 1024 * 1024
/** Returns the size of the request body, with a run id and a time. */
const getSize = (results: ResultItem[]) =>
  Buffer.byteLength(
    JSON.stringify({ run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01', results, finished_at: new Date(0).toISOString() }),
  )

describe('splitUpload', () => {
  it('returns no uploads without results', () => {
    expect(splitUpload([])).toEqual([])
  })

  it('returns one upload for 10,000 results', () => {
    expect(splitUpload(Array.from({ length: 10_000 }, (_, id) => createItem(id, 'no')))).toHaveLength(1)
  })

  it('puts at most 10,000 results into an upload', () => {
    const uploads = splitUpload(Array.from({ length: 20_001 }, (_, id) => createItem(id, '')))
    expect(uploads.map(({ length }) => length)).toEqual([10_000, 10_000, 1])
  })

  it('limits the bytes of an upload, also for characters that take six bytes', () => {
    const notes = Array.from({ length: 100 }, (_, id) => createItem(id, '\u0001'.repeat(65_536)))
    const uploads = splitUpload(notes)
    expect(uploads).toHaveLength(4)
    expect(Math.max(...uploads.map(getSize))).toBeLessThan(TEN_MEGABYTES)
  })

  it('puts a result that is too large into an upload of its own', () => {
    const uploads = splitUpload([createItem(1, ''), createItem(2, 'x'.repeat(11_000_000)), createItem(3, '')])
    expect(uploads.map((items) => items.map(({ test_case_id }) => test_case_id))).toEqual([
      ['WEB-1'],
      ['WEB-2'],
      ['WEB-3'],
    ])
  })

  it('never exceeds the limits, and keeps every result in its order', () => {
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
