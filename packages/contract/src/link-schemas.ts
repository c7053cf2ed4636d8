import { Type } from 'typebox'

import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const LINK_KINDS = ['defect', 'requirement', 'other'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** The most links of a test case or result. */
export const MAX_LINKS = 50
/** The most characters of an address. */
export const MAX_URL_LENGTH = 2048

export const linkExample = {
  id: '019aa5b9-7d12-7e0a-9c44-1b2f6a8d3e05',
  kind: 'defect',
  url: 'https://acme.atlassian.net/browse/SHOP-41',
  label: 'SHOP-41',
  created_by: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  created_at: '2026-11-21T09:30:00.000Z',
}

export const Link = Type.Object(
  {
    id: Type.String({ description: 'Link id.' }),
    kind: OneOf(LINK_KINDS, { description: 'What the address is of.' }),
    url: Type.String({ description: 'The address, as it was sent.' }),
    label: Type.String({
      description: 'What to show: the label that was sent, or one that was made from the address, such as `SHOP-41`.',
    }),
    created_by: Nullable(Type.String({ description: 'User id; null for automation.' })),
    created_at: Timestamp('When the link was added.'),
  },
  { examples: [linkExample] },
)
export type Link = Static<typeof Link>
