import { expect, it } from 'vitest'

import { readRecords } from '../../find-ends.test.helper.ts'

/** Records without what is empty. */
const read = async (text: string) => {
  const { records, losses } = await readRecords(Buffer.from(text))
  return { records: JSON.parse(JSON.stringify(records)) as Record<string, unknown>[], losses }
}

/** As Testomat writes it. */
const TESTOMAT = `<!-- suite
id: @S5f1ee38d
-->

# Shop

All that is sold.

<!-- test
id: @T5e61dd1a
type: manual
priority: high
tags: smoke, ui
creator: Ada
-->

# Pays

By card.

### Requirements

- Signed in

### Steps

- Open the basket
  **Expected Result**: It is shown
  with all in it
- Pay

### Notes

Slow on Mondays.

<!-- suite -->

# Shop > Returns

<!-- test -->

# Takes back
`

it('reads suites and tests that comments name, whatever the level of their headings', async () => {
  const { records, losses } = await read(TESTOMAT)
  expect(losses).toEqual([])
  expect(records).toMatchObject([
    { kind: 'folder', key: 'Shop', description: 'All that is sold.' },
    {
      kind: 'case',
      folder: 'Shop',
      key: '@T5e61dd1a',
      title: 'Pays',
      priority: 'high',
      type: 'manual',
      tags: ['smoke', 'ui'],
      fields: { creator: 'Ada' },
      steps: [
        { action: 'Open the basket', expected: 'It is shown\nwith all in it' },
        { action: 'Pay', expected: '' },
      ],
    },
    { kind: 'folder', key: 'Shop/Returns' },
    { kind: 'case', folder: 'Shop/Returns', title: 'Takes back', steps: [] },
  ])
  expect(records[1]?.['precondition']).toBe(
    '- Signed in\n\n**Description**\n\nBy card.\n\n**Notes**\n\nSlow on Mondays.',
  )
})

it('keeps what is above and beside test cases, or counts it', async () => {
  const { records, losses } = await read(`---
owner: Ada
---
About this file.

# Shop

All of it.

## Pays

- Pay

## History

Written long ago.
`)
  expect(records).toMatchObject([
    { kind: 'folder', key: 'Shop', description: 'All of it.' },
    { kind: 'case', title: 'Pays', fields: { owner: 'Ada' } },
  ])
  expect(losses).toEqual(['rows_ignored'])
})

it('keeps comments that are not about a test, texts beside those that are, and both texts of a heading that is there twice', async () => {
  const { records, losses } = await read(`<!-- suite
owner: Ada
--> On sale.

# Shop

One.

<!-- test -->

# Pays

<!-- slow -->

# Shop

Two.

## Leaves

- Leave
`)
  expect(losses).toEqual(['rows_ignored', 'not_imported:values_of_suites'])
  expect(records).toMatchObject([
    { kind: 'folder', key: 'Shop', description: 'One.\n\nTwo.' },
    { kind: 'case', title: 'Pays', folder: 'Shop', precondition: expect.stringContaining('<!-- slow -->') },
    { kind: 'case', title: 'Leaves', folder: 'Shop' },
  ])
})

it('takes comments and headings in code as text', async () => {
  const { records } = await read('# Pays\n\n1. Run\n\n```\n<!-- test -->\n# No heading\n```\n')
  expect(records).toHaveLength(1)
  expect(JSON.stringify(records)).toContain('# No heading')
})
