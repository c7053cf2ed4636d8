import { describe, expect, it } from 'vitest'

import { signS3Address } from './sign-s3-address.ts'

/** The example of Amazon's documentation of signatures in queries. */
const options = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  seconds: 86_400,
  now: new Date('2013-05-24T00:00:00Z'),
}
const getSignature = (address: string) => new URL(address).searchParams.get('X-Amz-Signature')

describe('signS3Address', () => {
  it('returns the address of the example in the documentation of S3', () => {
    expect(signS3Address(new URL('https://examplebucket.s3.amazonaws.com/test.txt'), options)).toBe(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })

  it('signs the query, and encodes all that S3 encodes', () => {
    const address = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
    address.searchParams.set('response-content-disposition', `inline; filename*=UTF-8''a%20(1)!.txt`)
    const signed = signS3Address(address, options)
    expect(signed).toContain(
      '&response-content-disposition=inline%3B%20filename%2A%3DUTF-8%27%27a%2520%281%29%21.txt&X-Amz-Signature=',
    )
    address.searchParams.set('response-content-disposition', 'inline')
    expect(getSignature(signS3Address(address, options))).not.toBe(getSignature(signed))
  })
})
