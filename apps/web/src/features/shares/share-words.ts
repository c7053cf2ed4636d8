import type { Share, SharePart } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

/** What a report can show besides, as its checkboxes say. */
export const partLabels: Readonly<Record<SharePart, { label: string; hint?: string }>> = {
  notes: { label: 'Notes' },
  steps: { label: 'Steps and actual results' },
  files: { label: 'Files', hint: 'Those of results that did not pass.' },
  links: { label: 'Links', hint: 'To defects and requirements.' },
  comments: { label: 'Comments', hint: 'On results that did not pass, and on the run.' },
  people: { label: 'People', hint: 'Who tested and commented. Without it, no name of a user appears.' },
}

const partNames: Readonly<Record<SharePart, string>> = {
  notes: 'notes',
  steps: 'steps',
  files: 'files',
  links: 'links',
  comments: 'comments',
  people: 'people',
}

/** "With notes and files". */
export function describeParts(include: readonly SharePart[]): string {
  if (include.length === 0) return 'Statuses only'
  const names = (Object.keys(partNames) as SharePart[]).filter((part) => include.includes(part))
  const last = partNames[names.at(-1) ?? 'notes']
  const others = names.slice(0, -1).map((part) => partNames[part])
  return `With ${others.length === 0 ? last : `${others.join(', ')} and ${last}`}`
}

/** "Opened 3 times"; without the time. */
export const describeViews = ({ view_count: count }: Pick<Share, 'view_count'>): string =>
  count === 0 ? 'never opened' : `opened ${formatNumberOf(count, 'time')}`

/** Those that can be opened first, and of them those that somebody should check. */
export const sortShares = (shares: readonly Share[]): Share[] =>
  shares.toSorted((a, b) => getRank(a) - getRank(b) || b.created_at.localeCompare(a.created_at))

const getRank = ({ state, review_reason: reason }: Share): number => (state !== 'open' ? 2 : reason === null ? 1 : 0)
