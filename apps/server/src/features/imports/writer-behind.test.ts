import { setTimeout as sleep } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { withWriterBehind } from './writer-behind.ts'

it('waits for the page that is being written, also when the work ends early', async () => {
  const written: number[] = []
  const write = (page: number) => async () => {
    await sleep(5)
    written.push(page)
  }
  const work = withWriterBehind(async (writeBehind) => {
    await writeBehind(write(1))
    await writeBehind(write(2))
    throw new Error('cancelled')
  })
  await expect(work).rejects.toThrow('cancelled')
  expect(written).toEqual([1, 2])
})

it('throws what went wrong with a page, with the next one or at the end', async () => {
  const fail = async () => {
    throw new Error('disk full')
  }
  await expect(withWriterBehind((writeBehind) => writeBehind(fail))).rejects.toThrow('disk full')
  const several = withWriterBehind(async (writeBehind) => {
    await writeBehind(fail)
    await writeBehind(() => Promise.resolve())
  })
  await expect(several).rejects.toThrow('disk full')
})
