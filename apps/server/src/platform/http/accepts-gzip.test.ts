import { describe, expect, it } from 'vitest'

import { acceptsGzip } from './accepts-gzip.ts'

describe('acceptsGzip', () => {
  it.each([
    'gzip',
    'gzip, deflate, br, zstd',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'GZIP',
    'x-gzip',
    '*',
    'deflate , gzip ; q=0.001',
    'gzip, identity',
    'identity;q=0, gzip;q=0.1',
  ])('is true for %j', (header) => {
    expect(acceptsGzip(header)).toBe(true)
  })

  it.each([
    undefined,
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000',
    '*;q=0',
    'gzip;q=0, *',
    'gzip;q=0.5, identity',
    'gzip;q=x',
    'gzipped',
    'not gzip',
  ])('is false for %j', (header) => {
    expect(acceptsGzip(header)).toBe(false)
  })
})
