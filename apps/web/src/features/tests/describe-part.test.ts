import { describe, expect, it } from 'vitest'

import { describePlace, type PartSource } from './describe-part.ts'

const unknown: PartSource = {
  job: '',
  instance: '',
  shard: '',
  variant: '',
  report: '',
  label: '',
  build_attempt: null,
  rerun: false,
}

describe('describePlace', () => {
  it.each<[string, Partial<PartSource>]>([
    ['on Windows X64, Node 20', { label: 'Windows X64, Node 20', instance: 'Windows X64, Node 20', build_attempt: 1 }],
    ['on Linux, instance 2', { label: 'Linux', instance: '2', shard: '2' }],
    ['on Linux, build attempt 3, run again', { label: 'Linux', build_attempt: 3, rerun: true }],
    ['firefox, shard 1, shop/junit.xml', { variant: 'firefox', shard: '1', report: 'shop/junit.xml' }],
    ['', {}],
  ])('says “%s”', (words, source) => {
    expect(describePlace({ ...unknown, ...source })).toBe(words)
  })
})
