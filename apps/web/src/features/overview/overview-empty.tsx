import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DemoButton } from '../projects/demo-button.tsx'

/** A project without test cases and runs: how to begin. */
export const OverviewEmpty = ({ projectId, mayWrite }: { projectId: string; mayWrite: boolean }) => (
  <EmptyState
    drawing="cases"
    title="Nothing here yet"
    help="first-project"
    actions={
      mayWrite ? (
        <>
          <ButtonLink variant="primary" to={paths.cases(projectId)}>
            Write test cases
          </ButtonLink>
          <ButtonLink to={paths.imports(projectId)}>Import test cases</ButtonLink>
          <DemoButton />
        </>
      ) : undefined
    }
  >
    {mayWrite
      ? 'Write the first test cases, upload results from CI, or look at a demo that is full of both.'
      : 'As soon as there are test cases and runs, you will see here whether the next release is ready.'}
  </EmptyState>
)
