import { Fragment } from 'react'
import { Link } from 'react-router'

import { getCaseItem, type UnsentCase } from '../../drafts/unsent-cases.ts'
import { useDrafts } from '../../drafts/use-drafts.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { undoStack } from '../../undo/use-undo.ts'
import { createCaseDraftStore } from './case-draft.ts'

/** Names the closed test cases whose changes are only in this browser, and leads to them. */
export function UnsentBanner({ projectId, unsent }: { projectId: string; unsent: readonly UnsentCase[] }) {
  const drafts = useDrafts()
  const store = createCaseDraftStore(drafts, projectId)
  if (unsent.length === 0) return null
  const formatChanges = () =>
    unsent
      .map(({ caseId }) => `${getName(caseId)}\n${JSON.stringify(store.read(caseId)?.changes, null, 2)}`)
      .join('\n\n')
  function discard(): void {
    const kept = unsent.flatMap(({ caseId }) => {
      const draft = store.read(caseId)
      store.remove(caseId)
      return draft === null ? [] : [{ caseId, draft }]
    })
    undoStack.push({
      words: 'Unsaved changes discarded',
      undo: () => kept.forEach(({ caseId, draft }) => store.save(caseId, draft)),
    })
  }
  return (
    <Banner
      tone="warning"
      actions={
        <>
          <CopyButton text={formatChanges()} />
          <Button variant="quiet" onClick={discard}>
            Discard
          </Button>
        </>
      }
    >
      {'Changes not saved, kept in this browser: '}
      {unsent.map(({ caseId }, index) => (
        <Fragment key={getCaseItem(projectId, caseId)}>
          {index > 0 && ', '}
          <Link to={paths.cases(projectId, { case: caseId === '' ? 'new' : caseId })}>{getName(caseId)}</Link>
        </Fragment>
      ))}
      . They are sent when the server can be reached. Open one to see what prevents it.
    </Banner>
  )
}

const getName = (caseId: string) => (caseId === '' ? 'a new test case' : caseId)
