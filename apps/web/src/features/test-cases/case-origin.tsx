import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Time } from '../../ui/time.tsx'
import { useProject } from '../../use-project.ts'
import { AutomationKeysField } from './automation-keys-field.tsx'
import styles from './case-editor.module.css'
import type { CaseFieldsProps } from './case-editor-props.ts'
import { Fact } from './fact.tsx'

const CaseAliases = lazyPart(async () => (await import('../case-aliases/case-aliases.tsx')).CaseAliases, {
  isOptional: true,
})

/** The automation keys, the author and the times: what is rarely read. */
export function CaseOrigin(props: CaseFieldsProps) {
  const { projectId, mayEdit, shown } = props
  const people = useQuery(queries.people(projectId))
  const { project } = useProject(projectId)
  const author = people.data?.find(({ id }) => id === shown.created_by)?.name
  return (
    <div className={styles.fields}>
      {mayEdit ? (
        <AutomationKeysField {...props} />
      ) : (
        shown.automation_keys.length > 0 && (
          <dl className={styles.facts}>
            <Fact name={shown.automation_keys.length === 1 ? 'Automation key' : 'Automation keys'}>
              {shown.automation_keys.map((key) => (
                <code key={key} className={styles.key}>
                  {key}
                </code>
              ))}
            </Fact>
          </dl>
        )
      )}
      {project?.has_aliases === true && shown.id !== '' && <CaseAliases projectId={projectId} caseId={shown.id} />}
      {shown.id !== '' && (
        <p className={styles.times}>
          Created <Time at={shown.created_at} isInText />
          {author !== undefined && ` by ${author}`}
          {shown.updated_at !== shown.created_at && (
            <>
              , changed <Time at={shown.updated_at} isInText />
            </>
          )}
        </p>
      )}
    </div>
  )
}
