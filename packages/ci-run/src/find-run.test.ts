import { describe, expect, it } from 'vitest'

import { isRunOfKey, toCreateRunBody, toRunKey } from './find-run.ts'

const target = { key: 'GitLab 1064', name: 'GitLab 12', metadata: { branch: 'main' }, expectedShards: 4, job: 'unit' }

describe('toCreateRunBody', () => {
  it('contains the key, the name, the metadata and the number of shards', () => {
    expect(toCreateRunBody(target)).toEqual({
      name: 'GitLab 12',
      run_key: 'GitLab 1064',
      metadata: { branch: 'main' },
      expected_shards: 4,
      job: 'unit',
    })
    expect(toCreateRunBody({ ...target, expectedShards: null })).not.toHaveProperty('expected_shards')
    expect(toCreateRunBody({ ...target, job: '' })).not.toHaveProperty('job')
  })

  it('truncates what is longer than the server accepts', () => {
    const body = toCreateRunBody({ ...target, name: 'n'.repeat(300), metadata: { branch: 'b'.repeat(2000) } })
    expect([body.name.length, body.metadata['branch']?.length]).toEqual([255, 1000])
  })

  it('has the key as the name if the name is empty', () => {
    expect(toCreateRunBody({ ...target, name: ' ' }).name).toBe('GitLab 1064')
  })
})

describe('toRunKey', () => {
  it('shortens a long key without making two keys equal that differ only at the end', () => {
    const keys = ['a', 'b'].map((end) => toRunKey(`${'🐞'.repeat(300)}${end}`))
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => Array.from(key).length <= 255)).toBe(true)
  })
})

describe('isRunOfKey', () => {
  it('compares the key as the server stores it', () => {
    const key = `${'k'.repeat(300)}\x07`
    expect(isRunOfKey({ run_key: toRunKey(key) }, { key })).toBe(true)
    expect(isRunOfKey({ run_key: 'other' }, { key })).toBe(false)
  })

  it('returns false for a run of a server that ignores keys', () => {
    expect(isRunOfKey({}, { key: 'k' })).toBe(false)
  })
})
