import { Banner } from '../banner.tsx'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorMessage } from '../error-message.tsx'
import { ProgressLine } from '../progress-line.tsx'
import { Loading, SkeletonRows } from '../skeleton.tsx'
import styles from './gallery.module.css'
import { Section } from './section.tsx'

export const MessagesSection = () => (
  <Section title="Messages and states">
    <Banner>Ada completed this run 2 minutes ago.</Banner>
    <Banner tone="warning" actions={<Button>Try now</Button>}>
      Changes of others arrive every 15 seconds, because the connection is interrupted.
    </Banner>
    <Banner tone="error" actions={<Button>Reopen and save</Button>}>
      The run is completed, so your note for WEB-12 is not saved.
    </Banner>
    <ErrorMessage title="The server does not answer. What you typed is kept." onRetry={() => {}} />
    <ErrorMessage title="Something went wrong on the server." requestId="01a1fc2b-5f29-7584" onRetry={() => {}}>
      An administrator finds the reason in the log under the request id.
    </ErrorMessage>
    <div className={styles.positioned}>
      <ProgressLine label="Loading test cases" />
    </div>
    <div className={styles.positioned}>
      <ProgressLine label="Exporting" value={0.4} />
    </div>
    <Loading label="Loading test cases">
      <SkeletonRows count={4} />
    </Loading>
    <div className={styles.columns}>
      <EmptyState
        drawing="cases"
        help="first-project"
        title="No test cases yet"
        actions={
          <>
            <Button variant="primary" shortcut="C">
              New case
            </Button>
            <Button>Import</Button>
          </>
        }
      >
        A test case describes what to do and what to expect.
      </EmptyState>
      <EmptyState
        drawing="runs"
        help="first-project"
        title="No runs yet"
        actions={<Button variant="primary">Start a run</Button>}
      />
      <EmptyState
        drawing="search"
        help="first-project"
        title="No case matches"
        actions={<Button>Clear filters</Button>}
      >
        Priority is Critical, and the title contains “card”.
      </EmptyState>
      <EmptyState drawing="projects" help="first-project" title="No projects yet" />
      <EmptyState drawing="milestones" help="first-project" title="No milestones yet" />
      <EmptyState drawing="tokens" help="first-project" title="No tokens yet" />
      <EmptyState drawing="lost" help="first-project" title="Page not found" />
    </div>
  </Section>
)
