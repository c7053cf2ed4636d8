import { describe, expect, it } from 'vitest'

import { formatBrowser } from './format-browser.ts'

describe('formatBrowser', () => {
  it.each([
    {
      expected: 'Firefox on Linux',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    {
      expected: 'Edge on Windows',
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
    },
    {
      expected: 'Chrome on Android',
      userAgent:
        'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
    },
    {
      expected: 'Safari on iOS',
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
    },
  ])('returns $expected for the user agent of that browser', ({ expected, userAgent }) => {
    expect(formatBrowser(userAgent)).toBe(expected)
  })

  it('returns the user agent when the browser is unknown', () => {
    expect(formatBrowser('curl/8.5.0')).toBe('curl/8.5.0')
  })

  it('returns “Unknown browser” when the user agent is empty', () => {
    expect(formatBrowser('')).toBe('Unknown browser')
  })
})
