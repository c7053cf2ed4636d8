import type { Link } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { useMay } from '../../use-may.ts'
import { LinkList } from './link-list.tsx'
import { createResultPlace } from './link-places.ts'

interface ResultLinksProps {
  projectId: string | undefined
  runId: string
  resultId: string
  links: readonly Link[]
}

/** The links of a result, first of all its defects. */
export function ResultLinks({ projectId, runId, resultId, links }: ResultLinksProps) {
  // Also of a completed run: defects are often filed later.
  const mayChange = useMay(projectId)('runs:execute')
  const place = useMemo(() => createResultPlace(runId, resultId), [runId, resultId])
  return <LinkList place={place} links={links} mayChange={mayChange} />
}
