import { describe, expect, it } from 'vitest'

import type { UploadEntry } from '../../uploads/upload-entry.ts'
import { describeUploads } from './describe-uploads.ts'
import { describePart, formatBytes, namePasted } from './file-words.ts'
import { isOpenable, type ReceivedFile, toShownFile } from './shown-file.ts'

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [48_213, '47 KB'],
    [1_500_000, '1.4 MB'],
    [33_554_432, '32 MB'],
    [5_368_709_120, '5 GB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

describe('namePasted', () => {
  const at = new Date(2026, 10, 6, 14, 5, 9)
  it.each([
    ['image.png', 'image/png', 'pasted 2026-11-06 14.05.09.png'],
    ['image.jpeg', 'image/jpeg', 'pasted 2026-11-06 14.05.09.jpg'],
    ['', 'application/x-unknown', 'pasted 2026-11-06 14.05.09.bin'],
    ['error page.png', 'image/png', 'error page.png'],
  ])('names %j of the type %s %s', (name, type, expected) => {
    expect(namePasted({ name, type }, at)).toBe(expected)
  })
})

describe('describePart', () => {
  it('names the step and the attempt, and nothing for the whole place', () => {
    expect(describePart({ step: 2, attempt: null })).toBe('Step 2')
    expect(describePart({ step: null, attempt: 1 })).toBe('Attempt 1')
    expect(describePart({ step: null, attempt: null })).toBeNull()
  })
})

describe('toShownFile', () => {
  const received = { id: 'a', file_id: 'f', url: '/content', byte_count: 3 } as ReceivedFile
  it('takes an attachment of a server without states as complete', () => {
    expect(isOpenable(toShownFile(received))).toBe(true)
  })

  it.each(['waiting', 'never_arrived', 'removed', 'lost'] as const)('cannot be opened when it is %s', (state) => {
    expect(isOpenable(toShownFile({ ...received, state, file_id: null, url: null }))).toBe(false)
  })
})

describe('describeUploads', () => {
  const entry = (id: string, problem: string | null = null) => ({ id, problem }) as UploadEntry
  const idle = { phase: 'sending', message: null, unstoredCount: 0 } as const

  it('counts what is being sent, and says nothing of what was refused, which its tile does', () => {
    const entries = [entry('a'), entry('b'), entry('c', 'Too large.')]
    expect(describeUploads(entries, new Map([['a', 0.5]]), idle)?.text).toBe('Sending 1 of 2 files…')
    expect(describeUploads([entry('c', 'Too large.')], new Map(), idle)).toBeNull()
  })

  it.each([
    [
      'retrying',
      'The server does not answer.',
      0,
      '1 file not sent yet, trying again. The server does not answer.',
      true,
    ],
    ['retrying', 'No.', 1, '1 file not sent yet, trying again. No. This browser has no room', true],
    ['session-ended', null, 0, 'Your session ended. Sign in to send 1 file.', false],
    ['sending', null, 0, '1 file waiting until results are saved', false],
  ] as const)('says what to do while %s: %s (%d unstored)', (phase, message, unstoredCount, text, canRetry) => {
    const described = describeUploads([entry('a')], new Map(), { phase, message, unstoredCount })
    expect(described?.text).toContain(text)
    expect(described?.canRetry).toBe(canRetry)
  })
})
