import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { deleteReportSubscription } from './report-endpoints.ts'
import { subscriptionQuery } from './report-queries.ts'
import { describeSubscription } from './report-words.ts'
import { SubscriptionForm } from './subscription-form.tsx'

/** Whether and when the user gets the report by email. Every member may, for themselves. */
export function ReportSubscription({ projectId }: { projectId: string }) {
  const subscription = useQuery(subscriptionQuery(projectId))
  const [isEditing, setIsEditing] = useState(false)
  const end = useEndSubscription(projectId)
  return (
    <section aria-label="By email" style={sectionStyle}>
      <h2 style={{ margin: 0, font: 'var(--bold) var(--text-14)' }}>By email</h2>
      <LoadedPart query={subscription} noun="subscription">
        {({ data: saved, meta }) => (
          <>
            {!meta.has_mail_server && (
              <Banner tone="warning">
                This server has no mail server, so that no report is sent. Who runs it sets <code>SMTP_URL</code>.
              </Banner>
            )}
            {isEditing ? (
              <SubscriptionForm projectId={projectId} saved={saved} onClose={() => setIsEditing(false)} />
            ) : (
              <div className={styles.bar}>
                <p style={{ font: 'var(--text-13)', overflowWrap: 'anywhere' }}>
                  {saved === null
                    ? 'You do not get this report by email.'
                    : `You get this report ${describeSubscription(saved)}. While nothing runs, none is sent.`}
                </p>
                <div className={styles.buttons}>
                  <Button onClick={() => setIsEditing(true)}>{saved === null ? 'Subscribe' : 'Change'}</Button>
                  {saved !== null && (
                    <Button isBusy={end.isPending} onClick={() => end.mutate()}>
                      Unsubscribe
                    </Button>
                  )}
                </div>
              </div>
            )}
            {end.error !== null && <Banner tone="error">{describeFailure(end.error).message}</Banner>}
          </>
        )}
      </LoadedPart>
    </section>
  )
}

const sectionStyle = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 12,
  padding: 16,
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius-card)',
  background: 'var(--card)',
} as const

function useEndSubscription(project_id: string) {
  const queryClient = useQueryClient()
  const { queryKey } = subscriptionQuery(project_id)
  return useMutation({
    mutationFn: () => request(api, deleteReportSubscription, { params: { project_id } }),
    onSuccess: () => queryClient.setQueryData(queryKey, (known) => known && { ...known, data: null }),
  })
}
