import type { TestCase } from '@caseward/client/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import formStyles from '../../ui/form-page.module.css'
import { detachSharedStep } from './shared-step-endpoints.ts'
import { sharedStepsQuery, useRefreshSharedSteps } from './shared-step-queries.ts'

interface StepGroupHeaderProps {
  projectId: string
  caseId: string
  group: NonNullable<TestCase['step_groups']>[number]
  isOpen: boolean
  onToggle: () => void
  mayEdit: boolean
}

/** What stands above the steps of a shared step in a test case. */
export function StepGroupHeader({ projectId, caseId, group, isOpen, onToggle, mayEdit }: StepGroupHeaderProps) {
  const { title, version, follows, shared_step_id: id } = group
  const { data } = useQuery(sharedStepsQuery(projectId))
  const count = data?.find((shared) => shared.id === id)?.use_count
  const refresh = useRefreshSharedSteps(projectId)
  const detach = useMutation({
    mutationFn: () =>
      request(api, detachSharedStep, {
        params: { project_id: projectId, shared_step_id: id },
        body: { test_case_ids: [caseId] },
      }),
    onSuccess: refresh,
  })
  return (
    <div role="group" aria-label={`Shared step ${title}`} className={formStyles.text}>
      <div className={formStyles.buttons} style={{ gap: 4 }}>
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronDown /> : <ChevronRight />}
          style={{ overflowWrap: 'anywhere' }}
          onClick={onToggle}
        >
          {title}
        </Button>
        <span className={formStyles.muted}>
          {`(shared, v${version}${follows ? '' : ', fixed'})`}
          {count !== undefined && ` used in ${count.toLocaleString('en')}`}
        </span>
        <Link to={paths.sharedStep(projectId, id)} aria-label={`Open the shared step ${title}`}>
          Open
        </Link>
        {mayEdit && (
          <Button
            variant="quiet"
            aria-label={`Detach the shared step ${title}`}
            isBusy={detach.isPending}
            onClick={() => detach.mutate()}
          >
            Detach
          </Button>
        )}
      </div>
      {detach.isError && (
        <p role="alert" className={formStyles.failed}>
          {describeFailure(detach.error).message}
        </p>
      )}
    </div>
  )
}
