import type { Field, FieldSubject } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useKeys } from '../../use-keys.ts'
import { FieldDialog } from './field-dialog.tsx'
import { FieldLists } from './field-lists.tsx'
import { subjects } from './fields-section.tsx'
import { instanceFieldsOf, useInstanceFieldActions } from './use-instance-fields.ts'

/** The fields of the instance: those that mean the same in all projects that have them. */
export function InstanceFieldsSection() {
  const [subject, setSubject] = useState<FieldSubject>('case')
  const query = useQuery(instanceFieldsOf(subject))
  const actions = useInstanceFieldActions()
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const create = () => setEdited('new')
  useKeys({ create })
  return (
    <section aria-label="Fields" style={{ display: 'grid', gap: 16, padding: '20px 12px' }}>
      <div className={styles.bar}>
        <p className={styles.muted}>
          What has to mean the same in all projects: a cost center, a severity, a component. Each project switches on
          what it needs, and decides whether it is required.
        </p>
        <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={create}>
          New field
        </Button>
      </div>
      <Segmented label="What has the fields" value={subject} options={subjects} onChange={setSubject} />
      <LoadedPart query={query} noun="fields">
        {(fields) => (
          <FieldLists
            key={subject}
            queryKey={instanceFieldsOf(subject).queryKey}
            actions={actions}
            fields={fields}
            empty="Add the first one: the admins of projects find it in their settings, under Fields."
            isOfProject={false}
            onEdit={setEdited}
            onMerge={undefined}
          />
        )}
      </LoadedPart>
      {edited !== null && (
        <FieldDialog
          project={null}
          field={edited === 'new' ? null : edited}
          fields={query.data ?? []}
          initial={{ subject }}
          actions={actions}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
