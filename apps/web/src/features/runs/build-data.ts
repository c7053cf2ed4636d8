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
const labels: ReadonlyMap<string, string> = new Map([
  ['branch', 'Branch'],
  ['commit', 'Commit'],
  ['pull_request', 'Pull request'],
  ['base_branch', 'Base branch'],
  ['target', 'Target'],
  ['suite', 'Suite'],
])
/** What only the comparison with other runs needs. */
const HIDDEN: ReadonlySet<string> = new Set(['repository', 'head_commit', 'base_commit', 'default_branch'])
/** Number and page of a build, which are one fact. */
const BUILD_NAMES: ReadonlySet<string> = new Set(['build', 'build_url', 'ci_url'])

/** Lists what is known about the build of a run: branch, commit, page, shards, duration, and what else was sent. */
export function listBuildFacts(
  run: Pick<Run, 'metadata' | 'expected_shards' | 'shards_done' | 'created_at' | 'completed_at'>,
): BuildFact[] {
  const { metadata } = run
  const others = Object.keys(metadata).filter(
    (name) => !labels.has(name) && !HIDDEN.has(name) && !BUILD_NAMES.has(name),
  )
  const listFacts = (names: readonly string[]) =>
    names.flatMap((name) => {
      const value = metadata[name]
      return value === undefined || value === '' ? [] : [toFact(name, value)]
    })
  const [branch = '', commit = '', ...rest] = labels.keys()
  const facts = [...listFacts([branch, commit]), ...listBuilds(metadata), ...listFacts([...rest, ...others])]
  const shards = describeShards(run)
  if (shards !== null)
    facts.push({ label: 'Shards', text: shards, url: null, full: run.shards_done.join(', ') || null })
  const duration = getDuration(run)
  if (duration !== null) facts.push({ label: 'Duration', text: duration, url: null, full: null })
  return facts
}

/** Shortens the hash of a commit; other texts stay. */
export const shortenCommit = (commit: string): string =>
  /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, SHORT_HASH) : commit

/** The build: its number as a link to its page, if one of each is known. What is no web page is a text of its own. */
function listBuilds({ build = '', build_url = '', ci_url = '' }: Run['metadata']): BuildFact[] {
  const known = [...new Set([build, ci_url, build_url])]
  const pages = known.filter(isWebAddress)
  const texts = known.filter((text) => text !== '' && !isWebAddress(text))
  const toBuild = (text: string, url: string | null) => ({ label: 'Build', text, url, full: url })
  const [page] = pages
  const [text] = texts
  if (page !== undefined && text !== undefined && pages.length + texts.length === 2) return [toBuild(text, page)]
  return [...texts.map((other) => toBuild(other, null)), ...pages.map((other) => toBuild('Open build', other))]
}

function toFact(name: string, value: string): BuildFact {
  const label = labels.get(name) ?? name
  const url = isWebAddress(value) ? value : null
  const short = name === 'commit' ? shortenCommit(value) : value
  if (short !== value) return { label, text: short, url, full: value }
  return { label, text: value, url, full: url }
}

function describeShards({ expected_shards, shards_done }: Pick<Run, 'expected_shards' | 'shards_done'>): string | null {
  if (expected_shards !== null) return `${shards_done.length} of ${expected_shards}`
  return shards_done.length === 0 ? null : String(shards_done.length)
}

/** How long a completed run took: "8 min"; null for one in progress. */
export function getDuration({ created_at, completed_at }: Pick<Run, 'created_at' | 'completed_at'>): string | null {
  if (completed_at === null) return null
  return formatDuration((Date.parse(completed_at) - Date.parse(created_at)) / 1000)
}
