import { describe, expect, it } from 'vitest'

import { createQuietTime } from './quiet-time.ts'

describe('getQuietMs', () => {
  it('counts from the last change of the project, or from the beginning of the observation', () => {
    let time = 1000
    const quiet = createQuietTime(() => time)
    time = 1500
    quiet.noteChange('a')
    time = 1800
    expect([quiet.getQuietMs('a'), quiet.getQuietMs('b')]).toEqual([300, 800])
    quiet.reset()
    time = 1900
    expect([quiet.getQuietMs('a'), quiet.getQuietMs('b')]).toEqual([100, 100])
  })

  it('never claims more than was observed when it forgets projects', () => {
    let time = 0
    const quiet = createQuietTime(() => time)
    for (let number = 0; number <= 10_000; number += 1) quiet.noteChange(`project ${number}`)
    time = 50
    expect([quiet.getQuietMs('project 0'), quiet.getQuietMs('project 10000')]).toEqual([50, 50])
  })
})
