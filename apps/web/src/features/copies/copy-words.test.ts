import { describe, expect, it } from 'vitest'

import { describeSkipped } from './copy-words.ts'

describe('describeSkipped', () => {
  it('names fields and options, and counts test cases that lack the same', () => {
    const skipped = [
      { test_case_id: 'WEB-1', field: 'owner_id', reason: 'not_a_member' },
      { test_case_id: 'WEB-2', field: 'owner_id', reason: 'not_a_member' },
      { test_case_id: 'WEB-1', field: 'fields.browsers', reason: 'not_found', value: 'opera' },
      { test_case_id: 'WEB-1', field: 'fields.gone', reason: 'not_found' },
      { test_case_id: 'WEB-1', field: 'attachments', reason: 'lost', value: 'shot.png' },
    ] as const
    expect(describeSkipped(skipped, [{ key: 'browsers', name: 'Browsers' }])).toEqual([
      'Owner: the person does not edit test cases there (2 test cases)',
      'Browsers “opera”: there is no such option',
      'gone: there is no such field',
      'File “shot.png”: its content is gone',
    ])
  })
})
