import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../ui/lazy-part.tsx'
import { useKeys } from '../../use-keys.ts'
import type { IssueSubject, NewIssueDialogProps } from './new-issue-dialog.tsx'

const LazyNewIssueDialog = lazyPart(async () => (await import('./new-issue-dialog.tsx')).NewIssueDialog, {
  isDialog: true,
})

/** Creates issues about failures of a page. */
export interface NewIssues {
  /** Says which failure the key is about. */
  activate(subject: IssueSubject): void
  open(subject: IssueSubject): void
}

/**
 * The dialog that creates an issue, and its key.
 * @param first what the key is about until something else is active
 */
export function useNewIssue(
  projectId: string,
  run: NewIssueDialogProps['run'],
  first: IssueSubject | null = null,
): { newIssues: NewIssues; dialog: ReactNode } {
  const [active, setActive] = useState<IssueSubject | null>(null)
  const [opened, setOpened] = useState<IssueSubject | null>(null)
  const target = active ?? first
  useKeys(target === null ? {} : { newIssue: () => setOpened(target) })
  return {
    newIssues: { activate: setActive, open: setOpened },
    dialog: opened !== null && (
      <LazyNewIssueDialog projectId={projectId} run={run} subject={opened} onClose={() => setOpened(null)} />
    ),
  }
}
