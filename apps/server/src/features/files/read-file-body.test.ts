import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, it, onTestFinished, vi } from 'vitest'

import { readFileBody } from './read-file-body.ts'

/** Reads a body of which so many bytes arrive in each second of a minute. */
async function readSlowly(bytesPerSecond: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const body = new PassThrough()
  const read = buffer(readFileBody(body)).then(
    ({ length }) => length,
    (error: { code: string }) => error.code,
  )
  for (let second = 0; second < 60 && !body.destroyed; second += 1) {
    body.write(Buffer.alloc(bytesPerSecond))
    await vi.advanceTimersByTimeAsync(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  body.end()
  return await read
}

it('a body of less than 1 KB a second ends, with a problem that says so', async () => {
  expect(await readSlowly(1000)).toBe('request_timeout')
})

it('a body of 1 KB a second is read to its end', async () => {
  expect(await readSlowly(1100)).toBe(66_000)
})
