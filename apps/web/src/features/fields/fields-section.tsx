import type { Field, FieldSubject, MyProject } from '@caseward/client/endpoints'
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
import { InstanceFieldDialog } from './instance-field-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { OfferedFields } from './offered-fields.tsx'
import { useFieldActions } from './use-field-actions.ts'
import { fieldsOf } from './use-fields.ts'
import { offeredFieldsOf } from './use-instance-fields.ts'

/** The server allows so many in use. */
const MAX_ACTIVE = 30

/** The custom fields of a project: their order, and those that are retired. */
export function FieldsSection({ project }: { project: MyProject }) {
  const [subject, setSubject] = useState<FieldSubject>('case')
  const query = useQuery(fieldsOf(project.id, subject))
  const offered = useQuery(offeredFieldsOf(project.id, subject))
  const actions = useFieldActions(project.id)
  const [edited, setEdited] = useState<Field | 'new' | null>(null)
  const [merged, setMerged] = useState<Field | null>(null)
  const fields = query.data ?? []
  const active = fields.filter(({ retired_at: at }) => at === null)
  const isFull = active.length >= MAX_ACTIVE
  const create = () => !isFull && setEdited('new')
  useKeys({ create })
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>{purposes[subject]}</p>
        <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} disabled={isFull} onClick={create}>
          New field
        </Button>
      </div>
      <Segmented label="What has the fields" value={subject} options={subjects} onChange={setSubject} />
      {isFull && (
        <p className={styles.warning}>There are {MAX_ACTIVE} fields in use, the most. Retire one to add another.</p>
      )}
      <LoadedPart query={query} noun="fields">
        {() => (
          <FieldLists
            key={subject}
            queryKey={fieldsOf(project.id, subject).queryKey}
            actions={actions}
            fields={fields}
            empty={beginnings[subject]}
            isOfProject
            offeredIds={offered.data === undefined ? undefined : new Set(offered.data.map(({ id }) => id))}
            onEdit={setEdited}
            onMerge={subject === 'case' ? setMerged : undefined}
          />
        )}
      </LoadedPart>
      <OfferedFields key={subject} projectId={project.id} subject={subject} isFull={isFull} actions={actions} />
      {merged !== null && <MergeDialog field={merged} actions={actions} onClose={() => setMerged(null)} />}
      {edited !== null && edited !== 'new' && edited.scope === 'instance' && (
        <InstanceFieldDialog field={edited} actions={actions} onClose={() => setEdited(null)} />
      )}
      {edited !== null && (edited === 'new' || edited.scope === 'project') && (
        <FieldDialog
          project={project}
          field={edited === 'new' ? null : edited}
          fields={fields}
          initial={{ subject }}
          actions={actions}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

export const subjects = [
  { value: 'case', label: 'Test cases' },
  { value: 'result', label: 'Results' },
  { value: 'run', label: 'Runs' },
] as const

const purposes: Record<FieldSubject, string> = {
  case: 'What your test cases need beyond priority, type, tags and owner: severity, risk, a component, a browser. Every test case has the fields in this order.',
  result:
    'What is to be said about a result beyond status and note: a cause, the severity of a failure, a device. Setting a status never asks for them.',
  run: 'What your runs need beyond name, description and milestone: a build, an environment, who has approved it.',
}

const beginnings: Record<FieldSubject, string> = {
  case: 'Add the first one: its values are set in test cases, shown in the list, and found by filters.',
  result: 'Add the first one: its values are set where a test case is executed, or by automation, and are in exports.',
  run: 'Add the first one: its values are set when a run is started, on its page, or by automation.',
}
