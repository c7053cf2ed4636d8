import { type LinkKind, MAX_LINKS } from '@caseward/contract/link-schemas'
import type { CreateLinkBody } from '@caseward/contract/links'
import { getLinkLabel } from '@caseward/matching/link-label'
import type { Static } from '@caseward/contract/static'
import { v7 as uuidv7 } from 'uuid'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { addResultChanges, createResultChanges } from '../events/result-changes.ts'
import { lockResult } from '../results/results.queries.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { normalizeLinkAddress } from './link-address.ts'
import * as links from './links.queries.ts'

type LinkBody = Static<typeof CreateLinkBody>

export interface AddedLink {
  link: links.LinkRow
  /** Whether the place had no link to this address. */
  isNew: boolean
}

/**
 * Adds a link to a test case.
 * @throws {Problem} 404 when the test case is gone; 400 for an invalid address; 422 for too many links
 */
export async function addTestCaseLink(
  db: Database,
  project: ProjectRef,
  number: number,
  body: LinkBody,
  userId: string,
): Promise<AddedLink> {
  return await withTestCase(db, project, number, (tx, place) =>
    addLink(tx, place, body, { userId, defaultKind: 'requirement' }),
  )
}

/** @throws {Problem} 404 when the test case or the link is gone */
export async function removeTestCaseLink(db: Database, project: ProjectRef, number: number, id: string): Promise<void> {
  await withTestCase(db, project, number, (tx, place) => removeLink(tx, place, id))
}

/**
 * Adds a link to a result, given its own id or the id of its test case. The run may be completed.
 * @throws {Problem} 404 for an unknown result; 400 for an invalid address; 422 for too many links
 */
export async function addResultLink(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  resultId: string,
  body: LinkBody,
  userId: string,
): Promise<AddedLink> {
  return await withResult(deps, run, resultId, (tx, place) =>
    addLink(tx, place, body, { userId, defaultKind: 'defect' }),
  )
}

/** @throws {Problem} 404 when the result or the link is gone */
export async function removeResultLink(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  resultId: string,
  id: string,
): Promise<void> {
  await withResult(deps, run, resultId, (tx, place) => removeLink(tx, place, id))
}

type ChangeLinks<T> = (tx: Database, place: links.LinkPlace) => Promise<T>

/** Locks the test case, so that its links are counted rightly. */
async function withTestCase<T>(db: Database, { id }: ProjectRef, number: number, change: ChangeLinks<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    if (!(await lockTestCases(tx, id, [number])).has(number)) throw notFoundProblem('test case')
    return await change(tx, { projectId: id, caseNumber: number })
  })
}

/** Locks the result only: uploads and users who test do not wait for links. */
async function withResult<T>(
  { db, announcer }: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  id: string,
  change: ChangeLinks<T>,
): Promise<T> {
  const changes = createResultChanges(run)
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await lockResult(tx, run, id)
      if (result === undefined) throw notFoundProblem('result')
      const changed = await change(tx, { projectId: run.project.id, runId: run.id, resultId: result.id })
      addResultChanges(changes, await links.updateLinkCounts(tx, run, [result.id]), [result.id])
      return changed
    })
  } finally {
    announcer.add(changes)
  }
}

async function addLink(
  tx: Database,
  place: links.LinkPlace,
  { url, kind, label }: LinkBody,
  { userId, defaultKind }: { userId: string; defaultKind: LinkKind },
): Promise<AddedLink> {
  const address = normalizeLinkAddress(url)
  const existing = await links.selectLinks(tx, place)
  const same = existing.find((link) => normalizeLinkAddress(link.url) === address)
  if (same !== undefined) return { link: same, isNew: false }
  if (existing.length >= MAX_LINKS) {
    throw unprocessableProblem('too_many_links', `There are ${MAX_LINKS} links here already. Remove one of them first.`)
  }
  const link = await links.insertLink(tx, place, {
    id: uuidv7(),
    kind: kind ?? defaultKind,
    url,
    digest: toDigest(address),
    label: label ?? getLinkLabel(address),
    createdBy: userId,
  })
  return { link, isNew: true }
}

async function removeLink(tx: Database, place: links.LinkPlace, id: string): Promise<void> {
  if (!isUuid(id) || !(await links.deleteLink(tx, place, id))) throw notFoundProblem('link')
}
