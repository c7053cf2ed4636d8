import type { Requirements } from './requirement.ts'

export const limits: Requirements = {
  '60-requests-a-minute-for-milestones': '60 requests a minute for milestones',
  '60-requests-a-minute-for-members': '60 requests a minute for members',
  '60-requests-a-minute-for-ci-upload': '60 requests a minute for CI upload',
  'a-minute-the-bucket-is-full-again-after-60': 'a minute: all requests are available again after 60 seconds',
  'for-each-token-and-each-of-the-three-apart': 'counted for each token and for each of the three groups separately',
  '10-mb-in-a-ci-upload': '10 MB in a CI upload',
  'per_page-20-at-most-100': 'per_page: 20, at most 100',
  '100-test-cases-in-one-bulk-creation': '100 test cases in one bulk creation',
  'one-level-of-sub-milestones': 'one level of sub-milestones',
  'prefix-of-2-to-5-uppercase-letters': 'prefix of 2 to 5 uppercase letters',
  'rates-of-other-endpoints-decided-600': 'rate limit of other endpoints: 600 (our choice)',
  'sizes-of-other-bodies-decided': 'sizes of other bodies (our choice)',
  'validity-of-an-invitation-decided': 'validity of an invitation (our choice)',
  'lengths-of-text-decided': 'lengths of text (our choice)',
}
