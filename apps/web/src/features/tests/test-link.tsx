import type { ProjectTestDetail } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import LinkIcon from 'lucide-react/icons/link'
import ListPlus from 'lucide-react/icons/list-plus'
import { useState } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import styles from './test-panel.module.css'
import { toTestRow } from './test-row.ts'
import { linkSourceWords } from './test-words.ts'
import { useTestActions } from './use-test-actions.ts'
import type { TestsArea } from './use-tests-area.ts'

/** The test case of a test, or what can be done to give it one. */
export function TestLink({ area, test }: { area: TestsArea; test: ProjectTestDetail }) {
  const { projectId, mayEdit } = area
  const actions = useTestActions(projectId)
  const [isBusy, setIsBusy] = useState(false)
  const row = toTestRow(test)
  async function link(caseId: string | null): Promise<void> {
    setIsBusy(true)
    const [failed] = await actions.link([test], caseId)
    setIsBusy(false)
    if (failed !== undefined) showToast({ message: `Not done: ${failed.message}` })
  }
  if (test.test_case_ids.length === 0) {
    return (
      <section className={styles.section} aria-label="Test case">
        <h3 className={styles.heading}>Test case</h3>
        <p>This test matches no test case.</p>
        {mayEdit && test.suggestions.length > 0 && (
          <div className={styles.suggestions}>
            <p className={styles.muted}>Was this renamed?</p>
            <ul>
              {test.suggestions.map(({ test_case_id: id, title }) => (
                <li key={id} className={styles.case}>
                  <CaseName projectId={projectId} id={id} title={title} />
                  <Button isBusy={isBusy} aria-label={`Link to ${id}`} onClick={() => void link(id)}>
                    Link
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
        {mayEdit && (
          <div className={styles.actions}>
            <Button icon={<ListPlus />} onClick={() => area.create([row])}>
              Create a test case
            </Button>
            <Button icon={<LinkIcon />} onClick={() => area.link([row])}>
              Link to a test case
            </Button>
          </div>
        )}
      </section>
    )
  }
  const isOne = test.test_case_ids.length === 1
  return (
    <section className={styles.section} aria-label={isOne ? 'Test case' : 'Test cases'}>
      <h3 className={styles.heading}>{isOne ? 'Test case' : 'Test cases'}</h3>
      <ul>
        {test.test_case_ids.map((id) => (
          <li key={id} className={styles.case}>
            <LinkedCase projectId={projectId} id={id} />
          </li>
        ))}
      </ul>
      {test.linked_by !== null && <p className={styles.muted}>{linkSourceWords[test.linked_by]}</p>}
      {mayEdit && (
        <div className={styles.actions}>
          <Button onClick={() => area.link([row])}>Link to another</Button>
          <Button isBusy={isBusy} onClick={() => void link(null)}>
            {isOne ? 'Remove link' : 'Remove links'}
          </Button>
        </div>
      )}
    </section>
  )
}

function LinkedCase({ projectId, id }: { projectId: string; id: string }) {
  const { data } = useQuery(queries.case(projectId, id))
  return <CaseName projectId={projectId} id={id} title={data?.title ?? ''} />
}

const CaseName = ({ projectId, id, title }: { projectId: string; id: string; title: string }) => (
  <Link className={styles.caseName} to={paths.case(projectId, id)} title={title}>
    <span className={styles.id}>{id}</span>
    <span className={styles.caseTitle}>{title}</span>
  </Link>
)
