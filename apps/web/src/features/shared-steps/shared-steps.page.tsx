import { useParams } from 'react-router'

import { SharedStepEditor } from './shared-step-editor.tsx'
import { SharedStepList } from './shared-step-list.tsx'

/** `/projects/:projectId/shared-steps`, and below it each of them. Loaded together: a user who opens the list opens one of them. */
export function SharedStepsPage() {
  const { projectId = '', sharedStepId } = useParams()
  return sharedStepId === undefined ? (
    <SharedStepList projectId={projectId} />
  ) : (
    <SharedStepEditor key={sharedStepId} projectId={projectId} sharedStepId={sharedStepId} />
  )
}
