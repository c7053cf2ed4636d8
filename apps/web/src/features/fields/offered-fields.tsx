import type { FieldSubject } from '@caseward/client/endpoints'
import { useMutation, useQuery } from '@tanstack/react-query'

import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { describeField } from './field-item.tsx'
import type { ProjectFieldActions } from './use-field-actions.ts'
import { offeredFieldsOf } from './use-instance-fields.ts'

interface OfferedFieldsProps {
  projectId: string
  subject: FieldSubject
  /** Whether there is no room for another field. */
  isFull: boolean
  actions: ProjectFieldActions
}

/** The fields of the instance that a project does not have; nothing where there are none. */
export function OfferedFields({ projectId, subject, isFull, actions }: OfferedFieldsProps) {
  const query = useQuery(offeredFieldsOf(projectId, subject))
  const add = useMutation({ mutationFn: (id: string) => actions.setUse(id, { is_used: true }) })
  const offered = (query.data ?? []).filter(({ is_used: isUsed }) => !isUsed)
  if (offered.length === 0) return null
  return (
    <section className={styles.part} aria-label="Fields of this instance">
      <h2>Fields of this instance</h2>
      <p className={styles.muted}>
        They mean the same in every project that has them. Their administrators keep their names and options.
      </p>
      <SaveMessage mutation={add} success="" />
      <ul className={styles.list}>
        {offered.map((field) => (
          <li key={field.id} className={styles.item}>
            <div className={styles.text}>
              <p className={styles.name} style={{ overflowWrap: 'anywhere' }}>
                {field.name}
              </p>
              <p className={styles.muted} style={{ overflowWrap: 'anywhere' }}>
                {field.description === '' ? describeField(field) : field.description}
              </p>
            </div>
            <div className={styles.buttons} style={{ justifyContent: 'end' }}>
              <Button
                disabled={isFull}
                isBusy={add.isPending && add.variables === field.id}
                onClick={() => add.mutate(field.id)}
                aria-label={`Switch on ${field.name}`}
              >
                Switch on
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
