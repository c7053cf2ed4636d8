import { MAX_LINKS, MAX_URL_LENGTH } from '@caseward/contract/link-schemas'
import { type LinksReceipt, MAX_REFUSED_LINKS } from '@caseward/contract/uploads'
import type { ReportedLink } from '@caseward/matching/attempt'
import { getLinkLabel } from '@caseward/matching/link-label'
import { v7 as createId } from 'uuid'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { Problem } from '../../platform/http/problems.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { normalizeLinkAddress } from './link-address.ts'
import { updateLinkCounts } from './links.queries.ts'
import * as reported from './reported-links.queries.ts'

/** The addresses that automation names for the results of some test cases. */
export interface LinkedResult {
  /** Empty if nothing was stored. */
  caseNumbers: readonly number[]
  links: readonly ReportedLink[]
}

interface AddOptions {
  /** Whether nothing is stored. */
  dryRun: boolean
  /** Whether the upload would have added the test cases that the run does not have. Only in a dry run. */
  addsMissing?: boolean
  /** User id; null for automation. */
  createdBy?: string | null
  changes: ResultChanges
}

type Refusal = LinksReceipt['refused'][number]

/** Counts all refusals, of which a receipt lists the first ones. */
function createReceipt() {
  const receipt: LinksReceipt = { added: 0, known: 0, refused_count: 0, refused: [] }
  return {
    receipt,
    refuse(url: string, code: Refusal['code'], error: string): void {
      receipt.refused_count += 1
      if (receipt.refused.length >= MAX_REFUSED_LINKS) return
      receipt.refused.push({ url: url.slice(0, MAX_URL_LENGTH).toWellFormed(), code, error })
    },
  }
}

/**
 * Adds the addresses that an upload names to its results, in its transaction. The caller holds the lock on the run. What cannot
 * be added is listed, and refuses no result.
 */
export async function addReportedLinks(
  tx: Database,
  run: RunRef,
  results: readonly LinkedResult[],
  { dryRun, addsMissing = false, createdBy = null, changes }: AddOptions,
): Promise<LinksReceipt> {
  const { receipt, refuse } = createReceipt()
  const named = collectLinks(results, refuse)
  const places = await reported.lockResults(tx, run, [...named.keys()])
  const linked = places.filter(({ linkCount }) => linkCount > 0).map(({ id }) => id)
  const existing = await reported.selectLinkDigests(tx, run, linked)
  const added: reported.AddedLink[] = []
  const found = new Set(places.map(({ caseNumber }) => caseNumber))
  for (const [number, links] of named) {
    if (found.has(number)) continue
    if (addsMissing) receipt.added += links.size
    else for (const { url } of links.values()) refuse(url, 'result_not_stored', NOT_STORED)
  }
  for (const { id: resultId, caseNumber, linkCount } of places) {
    const digests = existing.get(resultId)
    let count = linkCount
    for (const [digest, link] of named.get(caseNumber) ?? []) {
      if (digests?.has(digest) === true) receipt.known += 1
      else if (count >= MAX_LINKS) refuse(link.url, 'too_many_links', TOO_MANY)
      else {
        count += 1
        added.push({ ...link, id: createId(), resultId, digest })
      }
    }
  }
  receipt.added += added.length
  if (dryRun || added.length === 0) return receipt
  await reported.insertLinks(tx, run, added, createdBy)
  const changedIds = [...new Set(added.map(({ resultId }) => resultId))]
  addResultChanges(changes, await updateLinkCounts(tx, run, changedIds), changedIds)
  return receipt
}

const NOT_STORED = 'The test has no test case in the run, or its result was not stored: there is nothing to link.'
const TOO_MANY = `A result can have up to ${MAX_LINKS} links. Remove one of them first.`

type NamedLink = Pick<reported.AddedLink, 'kind' | 'url' | 'label'>

/** The addresses by case number and digest: each once. */
function collectLinks(
  results: readonly LinkedResult[],
  refuse: (url: string, code: Refusal['code'], error: string) => void,
): Map<number, Map<string, NamedLink>> {
  const named = new Map<number, Map<string, NamedLink>>()
  for (const { caseNumbers, links } of results) {
    for (const { kind, url } of links) {
      const address = readAddress(url)
      if ('error' in address) refuse(url, 'invalid_link', address.error)
      else if (caseNumbers.length === 0) refuse(url, 'result_not_stored', NOT_STORED)
      else {
        const digest = toDigest(address.normalized)
        const label = getLinkLabel(address.normalized)
        for (const number of caseNumbers) {
          const byDigest = named.get(number) ?? new Map<string, NamedLink>()
          named.set(number, byDigest)
          if (!byDigest.has(digest)) byDigest.set(digest, { kind, url, label })
        }
      }
    }
  }
  return named
}

function readAddress(url: string): { normalized: string } | { error: string } {
  if (url.length > MAX_URL_LENGTH) {
    return { error: `An address can have up to ${MAX_URL_LENGTH.toLocaleString('en')} characters.` }
  }
  try {
    return { normalized: normalizeLinkAddress(url) }
  } catch (error) {
    if (error instanceof Problem) return { error: `The address ${error.fields[0]?.message ?? 'is not valid'}.` }
    throw error
  }
}
