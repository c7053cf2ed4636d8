import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { sharedStepUsesQuery } from './shared-step-queries.ts'
import { UsageFacts } from './usage-facts.tsx'

/** So many test cases are listed; a shared step can have 10,000. */
const MAX_LISTED = 500

/** The folders, runs in progress and test cases that use a shared step. */
export function SharedStepUses({ projectId, sharedStepId }: { projectId: string; sharedStepId: string }) {
  const query = useQuery(sharedStepUsesQuery(projectId, sharedStepId))
  return (
    <section className={formStyles.section} aria-label="Where it is used">
      <h2>Where it is used</h2>
      <LoadedPart query={query} noun="test cases">
        {(uses) =>
          uses.length === 0 ? (
            <p className={formStyles.muted}>
              No test case uses it yet. Open a test case, and insert it with “Shared steps” below its steps.
            </p>
          ) : (
            <>
              <UsageFacts projectId={projectId} sharedStepId={sharedStepId} />
              <h3>{formatNumberOf(uses.length, 'test case')}</h3>
              <ul className={formStyles.list}>
                {uses.slice(0, MAX_LISTED).map(({ test_case_id: id, title, version, follows }) => (
                  <li key={id} className={formStyles.item}>
                    <div className={formStyles.text} style={{ overflowWrap: 'anywhere' }}>
                      <Link className={formStyles.name} to={paths.case(projectId, id)}>
                        {`${id} ${title}`}
                      </Link>
                      <div className={formStyles.muted}>{follows ? `v${version}` : `fixed at v${version}`}</div>
                    </div>
                  </li>
                ))}
              </ul>
              {uses.length > MAX_LISTED && (
                <p className={formStyles.muted}>{`And ${(uses.length - MAX_LISTED).toLocaleString('en')} more.`}</p>
              )}
            </>
          )
        }
      </LoadedPart>
    </section>
  )
}
