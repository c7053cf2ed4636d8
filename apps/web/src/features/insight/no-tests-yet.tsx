import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

const LINE = "npx caseward upload 'build/test-results/**/*.xml'"

/** Takes the place of all tabs until CI reports: the line to paste. */
export const NoTestsYet = ({ projectId }: { projectId: string }) => (
  <div>
    <EmptyState
      drawing="runs"
      title="CI has not reported yet"
      help="ci"
      actions={<ButtonLink to={paths.runs(projectId)}>Show the runs</ButtonLink>}
    >
      What fails, and what is unreliable, is computed from the reports of CI. Add this line to the job that runs the
      tests; reporters of test frameworks do the same.
    </EmptyState>
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center', justifyContent: 'center' }}>
      <code style={{ overflowWrap: 'anywhere' }}>{LINE}</code>
      <CopyButton text={LINE} />
    </div>
  </div>
)
