import { useQuery, useQueryClient } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { type SubmitEvent, useId, useState } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { showToast } from '../../ui/toast.ts'
import { useMay } from '../../use-may.ts'
import { getGroupPath } from '../insight/insight-paths.ts'
import { groupQuery, insightSettingsQuery } from '../insight/insight-queries.ts'
import { createCasePlace } from '../links/link-places.ts'
import { findAddressFault } from '../links/link-words.ts'
import { buildIssueBody, buildIssueTitle, type FailedRun, fillIssueTemplate, type IssueFacts } from './issue-text.ts'

/** What an issue is about. */
export interface IssueSubject {
  readonly signature: string
  /** Null for all tests of the cause. */
  readonly test: { readonly id: string; readonly name: string; readonly caseIds: readonly string[] } | null
}

export interface NewIssueDialogProps {
  projectId: string
  subject: IssueSubject
  /** The run of the page; null if it is not about one. */
  run: (FailedRun & { readonly id: string }) | null
  onClose: () => void
}

/** Signatures are counted over so many days. */
const DAYS = 90

/** A new issue in the tracker of the project: its text, the page that creates it, and the link back. */
export function NewIssueDialog({ projectId, subject, run, onClose }: NewIssueDialogProps) {
  const group = useQuery(groupQuery(projectId, subject.signature, { days: DAYS }))
  const settings = useQuery(insightSettingsQuery(projectId))
  const me = useQuery(queries.me())
  const parts = [group, settings, me] as const
  const path =
    subject.test !== null && run !== null
      ? paths.runTests(run.id, { test: subject.test.id })
      : getGroupPath(projectId, subject.signature)
  const loaded = {
    data:
      group.data === undefined || settings.data === undefined || me.data === undefined
        ? undefined
        : {
            template: settings.data.issue_template,
            facts: {
              group: group.data,
              test: subject.test?.name ?? null,
              run,
              url: new URL(path, location.href).href,
              reporter: me.data.name,
            },
          },
    error: parts.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => parts.forEach(({ error, refetch }) => error !== null && void refetch()),
  }
  return (
    <Dialog isOpen onClose={onClose} title="New issue" size="large">
      <LoadedPart query={loaded} noun="failure">
        {({ template, facts }) => (
          <IssueForm projectId={projectId} subject={subject} template={template} facts={facts} onClose={onClose} />
        )}
      </LoadedPart>
    </Dialog>
  )
}

interface IssueFormProps {
  projectId: string
  subject: IssueSubject
  template: string | null
  facts: IssueFacts
  onClose: () => void
}

function IssueForm({ projectId, subject, template, facts, onClose }: IssueFormProps) {
  const may = useMay(projectId)
  const [title, setTitle] = useState(() => buildIssueTitle(facts))
  const [body, setBody] = useState(() => buildIssueBody(facts))
  const [caseId] = subject.test?.caseIds ?? []
  const known = facts.group.issues
  return (
    <div className={styles.form} style={{ maxWidth: 'none' }}>
      {known.length > 0 && (
        <Banner>
          {'Linked already: '}
          {known.map(({ label, url }, index) => (
            <span key={url}>
              {index > 0 && ', '}
              <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                {label}
              </a>
            </span>
          ))}
        </Banner>
      )}
      {template === null && (
        <Banner>
          The project has no tracker: copy the text.{' '}
          {may('project:settings') ? (
            <Link to={paths.settings(projectId)}>Set the address of its page for new issues</Link>
          ) : (
            'An admin of the project can set the address of its page for new issues.'
          )}
        </Banner>
      )}
      <TextField label="Title" value={title} maxLength={200} onChange={({ target }) => setTitle(target.value)} />
      <TextArea
        label="Text"
        hint="Markdown. Read it before you publish it: what looks like a secret is blanked, and not every secret does."
        value={body}
        minRows={6}
        maxRows={16}
        style={{ fontFamily: 'var(--mono)' }}
        onChange={({ target }) => setBody(target.value)}
      />
      <div className={styles.buttons}>
        {template !== null && (
          <ButtonLink
            size="form"
            variant="primary"
            icon={<ExternalLink />}
            to={fillIssueTemplate(template, { title, body, url: facts.url })}
            target="_blank"
            rel="noopener noreferrer"
          >
            {`Open ${new URL(template.replaceAll(/[{}]/g, '')).host}`}
          </ButtonLink>
        )}
        <CopyButton size="form" label="Copy the text" text={`${title}\n\n${body}`} />
        <Button size="form" onClick={onClose}>
          Close
        </Button>
      </div>
      {caseId !== undefined && may('test-cases:edit') && (
        <LinkIssue projectId={projectId} caseId={caseId} onLinked={onClose} />
      )}
    </div>
  )
}

/** Links the issue that was created in the tracker to the test case of the test. */
function LinkIssue({ projectId, caseId, onLinked }: { projectId: string; caseId: string; onLinked: () => void }) {
  const queryClient = useQueryClient()
  const [address, setAddress] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const id = useId()
  const fault = findAddressFault(address.trim())
  const failure = error === null ? null : describeFailure(error, { noun: 'test case' })
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setIsChecked(true)
    if (fault !== null || isBusy) return
    setIsBusy(true)
    setError(null)
    try {
      await createCasePlace(projectId, caseId).add({ url: address.trim(), kind: 'defect' })
      refreshQueries(queryClient, ['project', projectId])
      for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: ['run'] }))
        if (queryKey[2] === 'evaluation') refreshQueries(queryClient, queryKey)
      showToast({ message: `Issue linked to ${caseId}` })
      onLinked()
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  return (
    <form id={id} className={styles.buttons} noValidate onSubmit={(event) => void submit(event)}>
      <div style={{ flex: '1 1 260px', minWidth: 0 }}>
        <TextField
          label={`Address of the issue, to link it to ${caseId}`}
          inputMode="url"
          value={address}
          error={isChecked ? (fault ?? failure?.fields.get('url') ?? failure?.message ?? null) : null}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
      <Button type="submit" size="form" isBusy={isBusy} style={{ alignSelf: 'end' }}>
        Link
      </Button>
    </form>
  )
}
