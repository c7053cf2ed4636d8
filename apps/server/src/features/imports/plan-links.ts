import { type LinkKind, MAX_LINKS, MAX_URL_LENGTH } from '@caseward/contract/link-schemas'
import type { PreparedCase } from '@caseward/importers/records'
import { cutText } from '@caseward/matching/note'

import type { Mapping } from './plan-mapping.ts'
import { isAddress } from '@caseward/importers/read-statistics'

export interface PlannedLink {
  url: string
  kind: LinkKind
  label: string | null
}

/** Plans the links of a test case; ids of issues without an address are references. */
export function planLinks(
  { links }: PreparedCase,
  { idPattern }: Mapping,
  losses: string[],
  details: Record<string, unknown>,
): { links: PlannedLink[]; references: string[] } {
  const planned = new Map<string, PlannedLink>()
  const references: string[] = []
  const rest: string[] = []
  for (const { target, kind, label } of links) {
    const url = isAddress(target) ? target : idPattern?.replaceAll('{id}', () => encodeURIComponent(target))
    if (url === undefined) references.push(target)
    else if (!isPossibleAddress(url) || planned.size >= MAX_LINKS) rest.push(target)
    else planned.set(url, { url, kind, label: toLinkLabel(label ?? (isAddress(target) ? null : target)) })
  }
  if (rest.length > 0) {
    details['links'] = rest
    losses.push('field_in_details')
  }
  return { links: [...planned.values()], references }
}

/** A label as it is stored; null for that of the address. */
export const toLinkLabel = (label: string | null): string | null => {
  const text = label?.replaceAll(/[\p{C}\s]+/gu, ' ').trim() ?? ''
  return text === '' ? null : cutText(text, 255)
}

export function isPossibleAddress(address: string): boolean {
  const url = /\p{Cc}/u.test(address) || address.length > MAX_URL_LENGTH ? null : URL.parse(address)
  return url !== null && url.username === '' && url.password === ''
}
