import { isWebAddress } from '@caseward/matching/web-address'
import type { Run } from '@caseward/client/endpoints'

import { formatDuration } from '../../times.ts'

/** A fact about the CI build of a run. */
export interface BuildFact {
  readonly label: string
  readonly text: string
  /** A web page with more. */
  readonly url: string | null
  /** The whole text, if `text` is shortened. */
  readonly full: string | null
}

/** Hashes of commits are recognized by this many characters. */
const SHORT_HASH = 7
/** What the reporters write, with the words of the page. */
const labels: Readonly<Record<string, string>> = { branch: 'Branch', commit: 'Commit', ci_url: 'Build' }

/** Lists what is known about the build of a run: branch, commit, page, shards, duration, and what else was sent. */
export function listBuildFacts(
  run: Pick<Run, 'metadata' | 'expected_shards' | 'shards_done' | 'created_at' | 'completed_at'>,
): BuildFact[] {
  const { metadata } = run
  const names = [...Object.keys(labels), ...Object.keys(metadata).filter((name) => !(name in labels))]
  const facts = names.flatMap((name) => {
    const value = metadata[name]
    return value === undefined || value === '' ? [] : [toFact(name, value)]
  })
  const shards = describeShards(run)
  if (shards !== null)
    facts.push({ label: 'Shards', text: shards, url: null, full: run.shards_done.join(', ') || null })
  const duration = getDuration(run)
  if (duration !== null) facts.push({ label: 'Duration', text: duration, url: null, full: null })
  return facts
}

function toFact(name: string, value: string): BuildFact {
  const label = labels[name] ?? name
  const url = isWebAddress(value) ? value : null
  if (name === 'commit' && /^[0-9a-f]{12,64}$/i.test(value)) {
    return { label, text: value.slice(0, SHORT_HASH), url, full: value }
  }
  return { label, text: name === 'ci_url' && url !== null ? 'Open build' : value, url, full: url }
}

function describeShards({ expected_shards, shards_done }: Pick<Run, 'expected_shards' | 'shards_done'>): string | null {
  if (expected_shards !== null) return `${shards_done.length} of ${expected_shards}`
  return shards_done.length === 0 ? null : String(shards_done.length)
}

function getDuration({ created_at, completed_at }: Pick<Run, 'created_at' | 'completed_at'>): string | null {
  if (completed_at === null) return null
  return formatDuration((Date.parse(completed_at) - Date.parse(created_at)) / 1000)
}
