import { formatEstimate } from '@caseward/case-files/estimate-text'
import type { UpdateTestCaseBody } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import FolderClosed from 'lucide-react/icons/folder-closed'
import { useState } from 'react'

import { queries } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Tags } from '../../ui/tags.tsx'
import type { CaseFieldsProps } from './case-editor-props.ts'
import styles from './case-editor.module.css'
import { EstimateField } from './estimate-field.tsx'
import { Fact } from './fact.tsx'
import { priorityNames, priorityOptions, typeNames, typeOptions } from './case-words.ts'
import { orderFolders } from './group-by-folder.ts'
import { MoveDialog } from './move-dialog.tsx'
import { OwnerField } from './owner-field.tsx'
import { TagField } from './tag-field.tsx'
import { usePeople } from './use-people.ts'

/** The short fields: priority, type, folder, owner, estimate and tags. */
export function CaseFields({ projectId, editing, folders, mayEdit, shown, errors }: CaseFieldsProps) {
  const tags = useQuery(queries.tags(projectId))
  const { getPerson } = usePeople(projectId)
  const [isMoving, setIsMoving] = useState(false)
  const parts = orderFolders(folders).find(({ folder }) => folder.id === shown.folder_id)?.path ?? ['No folder']
  const path = parts.join(' › ')
  /** A choice is saved at once, unlike typing. */
  const choose = (changes: UpdateTestCaseBody) => {
    editing.change(changes)
    editing.save()
  }
  return (
    <div className={styles.fields}>
      {mayEdit ? (
        <>
          <Select
            label="Priority"
            value={shown.priority}
            options={priorityOptions}
            onChange={(priority) => choose({ priority })}
          />
          <Select label="Type" value={shown.type} options={typeOptions} onChange={(type) => choose({ type })} />
          <div className={styles.folder}>
            <span className={styles.label}>Folder</span>
            <Button
              size="form"
              className={styles.folderButton}
              icon={<FolderClosed />}
              aria-label={`Folder: ${path}`}
              title={path}
              onClick={() => setIsMoving(true)}
            >
              <span className={styles.path}>{shortenPath(parts).join(' › ')}</span>
            </Button>
          </div>
          <OwnerField
            projectId={projectId}
            owner={shown.owner_id}
            error={errors.get('owner_id')}
            onChange={(owner_id) => choose({ owner_id })}
          />
          <EstimateField
            estimate={shown.estimate}
            error={errors.get('estimate')}
            onChange={(estimate) => choose({ estimate })}
          />
          <div className={styles.whole}>
            <TagField
              label="Tags"
              tags={shown.tags}
              error={errors.get('tags') ?? null}
              suggestions={tags.data?.map(({ tag }) => tag) ?? []}
              onChange={(next) => choose({ tags: [...next] })}
            />
          </div>
        </>
      ) : (
        <dl className={styles.facts}>
          <Fact name="Priority">{priorityNames[shown.priority]}</Fact>
          <Fact name="Type">{typeNames[shown.type]}</Fact>
          <Fact name="Folder">{path}</Fact>
          {shown.owner_id !== null && <Fact name="Owner">{getPerson(shown.owner_id)}</Fact>}
          {shown.estimate !== null && <Fact name="Estimate">{formatEstimate(shown.estimate)}</Fact>}
          {shown.tags.length > 0 && (
            <Fact name="Tags">
              <Tags tags={shown.tags} />
            </Fact>
          )}
        </dl>
      )}
      {isMoving && (
        <MoveDialog
          subject={shown.id === '' ? 'the test case' : shown.id}
          folders={folders}
          noneLabel="No folder"
          initialId={shown.folder_id}
          onMove={(folder_id) => choose({ folder_id })}
          onClose={() => setIsMoving(false)}
        />
      )}
    </div>
  )
}

/** Where a path is long, its end says more than its middle. */
const shortenPath = (parts: readonly string[]): readonly string[] =>
  parts.length <= 3 ? parts : [...parts.slice(0, 1), '…', ...parts.slice(-1)]
