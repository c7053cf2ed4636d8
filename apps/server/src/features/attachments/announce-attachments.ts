import type { Deps } from '../../deps.ts'
import { addAttachmentChanges, createResultChanges } from '../events/result-changes.ts'
import type { AttachmentPlace } from './attachment-places.queries.ts'
import type { ChangedAttachments } from './declared-files.queries.ts'

type Announcer = Pick<Deps, 'announcer'>

/** Tells event streams of a run that attachments have changed. Call this after the commit. */
export function announceAttachments(
  { announcer }: Announcer,
  run: { id: string; project: { id: string } },
  changed: ChangedAttachments | null,
): void {
  if (changed === null) return
  const changes = createResultChanges(run)
  addAttachmentChanges(changes, new Date(), changed)
  announcer.add(changes)
}

/** The same for one attachment. Test cases have no events about them. */
export function announcePlace(deps: Announcer, place: AttachmentPlace, testId: string | null = null): void {
  if (place.kind !== 'run') return
  announceAttachments(
    deps,
    { id: place.runId, project: { id: place.projectId } },
    { resultIds: place.resultId === null ? [] : [place.resultId], testIds: testId === null ? [] : [testId] },
  )
}
