import type { NewShare } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { HelpLink } from '../../ui/help-link.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import { ShareForm } from './share-form.tsx'
import { ShareList } from './share-list.tsx'
import { type ShareSubject, subjectSharesQuery, useCreateShare } from './share-queries.ts'

interface ShareDialogProps {
  subject: ShareSubject
  onClose: () => void
}

/** Shares a report of a run or milestone with people without an account, and lists those that are shared. */
export function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const shares = useQuery(subjectSharesQuery(subject))
  const create = useCreateShare(subject)
  const [shared, setShared] = useState<NewShare | null>(null)
  const formId = useId()
  if (shared !== null) return <ShareAddress share={shared} onClose={onClose} />
  const refusal = shares.data?.meta.refusal ?? null
  const canCreate = shares.data?.meta.can_create === true
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Share a report"
      description={
        <>
          Whoever has its address reads it without an account, as it is at that moment. <HelpLink page="sharing" />
        </>
      }
      footer={
        <>
          <Button size="form" onClick={onClose}>
            {canCreate ? 'Cancel' : 'Close'}
          </Button>
          {canCreate && (
            <Button type="submit" form={formId} size="form" variant="primary" isBusy={create.isPending}>
              Create address
            </Button>
          )}
        </>
      }
    >
      <LoadedPart query={shares} noun="shared reports">
        {({ data }) => (
          <div className={styles.settings}>
            {refusal === null ? (
              <ShareForm
                formId={formId}
                initialName={subject.name}
                error={create.error}
                onSubmit={(body) => {
                  if (!create.isPending) create.mutate(body, { onSuccess: setShared })
                }}
              />
            ) : (
              <Banner tone="info">{refusal}</Banner>
            )}
            {data.length > 0 && (
              <section className={styles.part} aria-label="Shared before">
                <h3>Shared before</h3>
                <ShareList projectId={subject.projectId} shares={data} mayRevoke />
              </section>
            )}
          </div>
        )}
      </LoadedPart>
    </Dialog>
  )
}

/** The address of a new report, selected: it is shown once. */
function ShareAddress({ share: { name, url, expires_at }, onClose }: { share: NewShare; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Report “${name}”`}
      description="Copy its address now: it is shown only once."
      initialFocus={field}
      footer={
        <>
          <CopyButton size="form" text={url} label="Copy address" />
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Field label="Address" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={field}
            className={styles.secret}
            value={url}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
      <p className={styles.muted}>
        It can be opened until <Time at={expires_at} isInText />, or until you revoke it.{' '}
        <a href={url} target="_blank" rel="noreferrer">
          Open the report
        </a>
      </p>
    </Dialog>
  )
}
