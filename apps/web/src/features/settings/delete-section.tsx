import { deleteProject, type MyProject } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { showToast } from '../../ui/toast.ts'

/** Deletes a project, behind typing its name. */
export function DeleteSection({ project }: { project: MyProject }) {
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { id, name, test_case_count, run_count } = project
  const remove = useMutation({
    mutationFn: () => request(api, deleteProject, { params: { project_id: id } }),
    async onSuccess() {
      // First the page, which would otherwise say that its project does not exist.
      await navigate(paths.projects({ all: true }))
      queryClient.removeQueries({ queryKey: queryKeys.inProject(id) })
      showToast({ message: `“${name}” is deleted` })
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    },
    onError: () => setIsAsking(false),
  })
  const contents = `${formatNumberOf(test_case_count, 'test case')} and ${formatNumberOf(run_count, 'run')}`
  return (
    <div className={styles.danger}>
      <p className={styles.muted}>
        Deletes the project for all of its members, with {contents}, all results, tests, milestones and CI tokens. This
        cannot be undone: only a backup of the server brings it back.
      </p>
      <div className={styles.buttons}>
        <Button variant="danger" size="form" onClick={() => setIsAsking(true)}>
          Delete project
        </Button>
        <SaveMessage mutation={remove} success="" />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete “${name}”?`}
        confirmLabel="Delete project"
        mustType={name}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {contents} are deleted for everybody. This cannot be undone.
      </ConfirmDialog>
    </div>
  )
}
