import type { Link } from '@caseward/client/endpoints'

import type { SelectOption } from '../../ui/select.tsx'

export type LinkKind = Link['kind']

export const linkKindOptions: readonly SelectOption<LinkKind>[] = [
  { value: 'defect', label: 'Defect' },
  { value: 'requirement', label: 'Requirement' },
  { value: 'other', label: 'Other' },
]

export const linkKindNames: Readonly<Record<LinkKind, string>> = {
  defect: 'Defect',
  requirement: 'Requirement',
  other: 'Link',
}

/** What is wrong with an address that was typed, as a sentence; null if nothing is. The server checks the rest. */
export function findAddressFault(address: string): string | null {
  if (address === '') return 'Paste the address of the page.'
  return /^https?:\/\/\S/i.test(address) ? null : 'The address must begin with http:// or https://.'
}
