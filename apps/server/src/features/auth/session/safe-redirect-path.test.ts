import { describe, expect, it } from 'vitest'

import { getSafeRedirectPath } from './safe-redirect-path.ts'

describe('getSafeRedirectPath', () => {
  it.each(['/projects/1?tab=cases', '/runs/7', '/account', '/join/abc', '/docs', '/WEB-12', '/'])(
    'keeps %s',
    (path) => {
      expect(getSafeRedirectPath(path)).toBe(path)
    },
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\\/evil.example',
    'https://evil.example/projects/1',
    'https:evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
    '/join/..//evil.example',
    '/projects/..\\\\evil.example',
    '/projects/%2e%2e//evil.example',
    '/sign-out',
    '/sign-in/oidc',
    `/projects/${'x'.repeat(2000)}`,
    undefined,
    ['/projects/1'],
  ])('opens the projects instead of %j', (next) => {
    expect(getSafeRedirectPath(next)).toBe('/')
  })
})
