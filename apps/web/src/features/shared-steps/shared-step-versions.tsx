import type { SharedStep, SharedStepVersion } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { Time } from '../../ui/time.tsx'
import { MarkedWords } from '../case-versions/marked-words.tsx'
import { compareSteps, StepsDiff } from '../case-versions/steps-diff.tsx'
import { VersionFrame } from '../case-versions/version-frame.tsx'
import { type OpenedVersion, VersionList } from '../case-versions/version-list.tsx'
import { Part } from '../case-versions/version-part.tsx'
import { StepView } from '../runs/step-layout.tsx'
import conflictStyles from '../test-cases/case-conflict.module.css'
import { sharedStepVersionQuery, sharedStepVersionsQuery } from './shared-step-queries.ts'

interface SharedStepVersionsProps {
  projectId: string
  sharedStepId: string
  /** Puts a version into the editor; missing for those who may not edit. */
  onRestore: ((version: SharedStep) => void) | undefined
}

/** Every version of a shared step, the newest first: to read, to compare, and to restore. */
export function SharedStepVersions({ projectId, sharedStepId, onRestore }: SharedStepVersionsProps) {
  const query = useInfiniteQuery(sharedStepVersionsQuery(projectId, sharedStepId))
  return (
    <section className={formStyles.section} aria-label="Versions">
      <VersionList<SharedStepVersion>
        projectId={projectId}
        query={query}
        noun="shared step"
        getTitle={({ title }) => title}
        listDetails={({ step_count: count }, author) => [formatNumberOf(count, 'step'), author]}
        renderOpened={(opened) => (
          <OpenSharedStepVersion
            {...{ projectId, sharedStepId, opened }}
            onRestore={opened.entry === opened.entries[0] ? undefined : onRestore}
          />
        )}
      />
    </section>
  )
}

interface OpenSharedStepVersionProps extends SharedStepVersionsProps {
  opened: OpenedVersion<SharedStepVersion>
}

function OpenSharedStepVersion({ projectId, sharedStepId, opened, onRestore }: OpenSharedStepVersionProps) {
  const { entry, entries, author, onOpen } = opened
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
