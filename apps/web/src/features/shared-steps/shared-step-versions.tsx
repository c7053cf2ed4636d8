import type { SharedStep, SharedStepVersion } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import { MarkedWords } from '../case-versions/marked-words.tsx'
import { compareSteps, StepsDiff } from '../case-versions/steps-diff.tsx'
import { VersionFrame } from '../case-versions/version-frame.tsx'
import { Part } from '../case-versions/version-part.tsx'
import { StepView } from '../runs/step-layout.tsx'
import conflictStyles from '../test-cases/case-conflict.module.css'
import historyStyles from '../test-cases/case-history.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { sharedStepVersionQuery, sharedStepVersionsQuery } from './shared-step-queries.ts'

interface SharedStepVersionsProps {
  projectId: string
  sharedStepId: string
  /** Puts a version into the editor; missing for those who may not edit. */
  onRestore: ((version: SharedStep) => void) | undefined
}

/** Every version of a shared step, the newest first: to read, to compare, and to restore. */
export function SharedStepVersions({ projectId, sharedStepId, onRestore }: SharedStepVersionsProps) {
  const list = useInfiniteQuery(sharedStepVersionsQuery(projectId, sharedStepId))
  const { getPerson } = usePeople(projectId)
  const [opened, setOpened] = useState<number | null>(null)
  const getAuthor = ({ changed_by: id }: SharedStepVersion) => (id === null ? '' : getPerson(id) || 'a former member')
  return (
    <section className={formStyles.section} aria-label="Versions">
      <LoadedPart query={list} noun="versions">
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data)
          const entry = entries.find(({ version }) => version === opened)
          if (entry !== undefined) {
            return (
              <OpenSharedStepVersion
                {...{ projectId, sharedStepId, entry, entries }}
                author={getAuthor(entry)}
                onOpen={setOpened}
                onRestore={entry === entries[0] ? undefined : onRestore}
              />
            )
          }
          return (
            <div className={historyStyles.history}>
              {entries.length === 1 && (
                <p className={historyStyles.none}>
                  This shared step has not been changed yet. Every change will be a version here.
                </p>
              )}
              <ol className={historyStyles.list} aria-label="Versions">
                {entries.map((item) => (
                  <li key={item.version} className={historyStyles.result}>
                    <Button aria-label={`v${item.version}: ${item.title}`} onClick={() => setOpened(item.version)}>
                      v{item.version}
                    </Button>
                    <div className={historyStyles.text}>
                      <span style={{ overflowWrap: 'anywhere' }}>{item.title}</span>
                      <span className={historyStyles.detail} style={{ display: 'block' }}>
                        {[formatNumberOf(item.step_count, 'step'), getAuthor(item)]
                          .filter((text) => text !== '')
                          .join(', ')}
                      </span>
                    </div>
                    <span className={historyStyles.detail}>
                      <Time at={item.changed_at} />
                    </span>
                  </li>
                ))}
              </ol>
              {list.hasNextPage && (
                <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Older versions
                </Button>
              )}
            </div>
          )
        }}
      </LoadedPart>
    </section>
  )
}

interface OpenSharedStepVersionProps extends SharedStepVersionsProps {
  entry: SharedStepVersion
  entries: readonly SharedStepVersion[]
  author: string
  onOpen: (version: number | null) => void
}

function OpenSharedStepVersion(props: OpenSharedStepVersionProps) {
  const { projectId, sharedStepId, entry, entries, author, onOpen, onRestore } = props
  return (
    <VersionFrame
      {...{ entry, entries, onOpen }}
      getQuery={(version) => sharedStepVersionQuery(projectId, sharedStepId, version)}
      about={
        <p className={conflictStyles.hint}>
          {author} <Time at={entry.changed_at} isInText />
        </p>
      }
      renderDiff={(before, after) => <SharedStepDiff {...{ before, after }} />}
      renderText={(version) => <SharedStepText version={version} />}
      renderActions={(version) =>
        onRestore !== undefined && (
          <div className={conflictStyles.actions}>
            <Button size="form" onClick={() => onRestore(version)}>
              {`Restore version ${version.version}…`}
            </Button>
          </div>
        )
      }
    />
  )
}

function SharedStepDiff({ before, after }: { before: SharedStep; after: SharedStep }) {
  const compared = compareSteps(before, after)
  if (before.title === after.title && !compared.hasChangedSteps) {
    return <p className={conflictStyles.hint}>Both versions say the same.</p>
  }
  return (
    <>
      {before.title !== after.title && (
        <Part title="Title">
          <div className={conflictStyles.text} style={{ overflowWrap: 'anywhere' }}>
            <MarkedWords before={before.title} after={after.title} />
          </div>
        </Part>
      )}
      <StepsDiff compared={compared} />
    </>
  )
}

const SharedStepText = ({ version: { title, steps } }: { version: SharedStep }) => (
  <>
    <h3 className={conflictStyles.title} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </h3>
    <Part title="Steps">
      <ol>
        {steps.map((step) => (
          <StepView key={step.position} step={step} result={undefined} />
        ))}
      </ol>
    </Part>
  </>
)
