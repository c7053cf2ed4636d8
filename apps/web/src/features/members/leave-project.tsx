import { leaveProject, type MyProject } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import LogOut from 'lucide-react/icons/log-out'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import styles from './members.module.css'

interface LeaveProjectProps {
  project: MyProject
  /** Whether the user must make somebody else an admin first. */
  isOnlyAdmin: boolean
}

/** Ends the user's own membership, after a question. */
export function LeaveProject({ project: { id, name }, isOnlyAdmin }: LeaveProjectProps) {
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = useMutation({
    mutationFn: () => request(api, leaveProject, { params: { project_id: id } }),
    async onSuccess() {
      // First the page, which would otherwise say that the user may not see its project.
      await navigate(paths.projects({ all: true }))
      queryClient.removeQueries({ queryKey: queryKeys.inProject(id) })
      showToast({ message: `You left “${name}”` })
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    },
  })
  const close = () => {
    setIsAsking(false)
    leave.reset()
  }
  return (
    <>
      <Button
        variant="quiet"
        icon={<LogOut />}
        disabled={isOnlyAdmin}
        title={isOnlyAdmin ? 'The project always keeps an admin. Make someone else one first.' : undefined}
        onClick={() => setIsAsking(true)}
      >
        Leave project
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={`Leave “${name}”?`}
        confirmLabel="Leave project"
        isBusy={leave.isPending}
        onConfirm={() => leave.mutate()}
      >
        You lose access at once, and only an admin can invite you again. Everything that you did stays, with your name.
        Invitations that you sent and that are not accepted yet are revoked.
        {leave.error !== null && (
          <div className={styles.failure}>
            <Banner tone="error">{describeFailure(leave.error, { noun: 'project' }).message}</Banner>
          </div>
        )}
      </ConfirmDialog>
    </>
  )
}
