import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getLinkLabel } from './link-label.ts'

describe('getLinkLabel', () => {
  it.each([
    ['https://github.com/acme/shop/issues/12', 'acme/shop#12'],
    ['https://github.com/acme/shop/pull/12/files#diff-1', 'acme/shop#12'],
    ['https://gitlab.com/acme/web/shop/-/issues/12', 'acme/web/shop#12'],
    ['https://git.acme.test/shop/api/-/merge_requests/7/diffs', 'shop/api!7'],
    ['https://acme.atlassian.net/browse/SHOP-41', 'SHOP-41'],
    ['https://jira.acme.test/jira/browse/SHOP-41?focusedId=7', 'SHOP-41'],
    ['https://linear.app/acme/issue/eng-12/pay-by-card', 'ENG-12'],
    ['https://acme.youtrack.cloud/issue/WEB-3', 'WEB-3'],
    ['https://dev.azure.com/acme/Web%20shop/_workitems/edit/12', 'Web shop#12'],
    ['https://bugs.acme.test/show_bug.cgi?id=12', 'bugs.acme.test 12'],
    ['https://redmine.acme.test/issues/12', 'redmine.acme.test 12'],
    ['https://www.acme.test/wiki/Pay+by+card/', 'acme.test Pay+by+card'],
    ['https://acme.test', 'acme.test'],
    ['http://127.0.0.1:8080/browse/', '127.0.0.1 browse'],
    ['https://acme.test/%E0%A4%A', 'acme.test %E0%A4%A'],
  ])('returns the label of %s', (address, label) => {
    expect(getLinkLabel(address)).toBe(label)
  })

  it('returns one line of 1 to 60 characters for any address', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const label = getLinkLabel(address)
        expect(label).toMatch(/^[^\n\r\0]{1,60}$/u)
      }),
    )
    expect(getLinkLabel(`https://acme.test/${'é'.repeat(200)}`)).toMatch(/^acme\.test é{49}…$/)
    expect(getLinkLabel('https://acme.test/a%0Ab%E2%80%AEc')).toBe('acme.test abc')
  })
})
