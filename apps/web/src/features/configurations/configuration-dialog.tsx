import type { Configuration } from '@caseward/client/endpoints'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { Select } from '../../ui/select.tsx'
import { toFreeKey, toKey } from './to-key.ts'
import { type ConfigurationActions, toGroups } from './use-configurations.ts'

const NEW_GROUP = ''
/** Keys of groups of the instance begin so. */
const INSTANCE_KEY_PREFIX = 'org_'

interface ConfigurationDialogProps {
  configurations: readonly Configuration[]
  /** Whose configurations they are. */
  scope: Configuration['scope']
  /** Null adds one. */
  edited: Configuration | null
  mutations: Pick<ConfigurationActions, 'create' | 'update'>
  onClose: () => void
}

/** Adds a configuration, or changes one. */
export function ConfigurationDialog({ configurations, scope, edited, mutations, onClose }: ConfigurationDialogProps) {
  const groups = toGroups(configurations)
  const [groupKey, setGroupKey] = useState(edited?.group_key ?? groups[0]?.key ?? NEW_GROUP)
  const [groupName, setGroupName] = useState(edited?.group_name ?? '')
  const [name, setName] = useState(edited?.name ?? '')
  const [variants, setVariants] = useState(edited?.variants.join('; ') ?? '')
  const mutation = edited === null ? mutations.create : mutations.update
  const failure = mutation.error === null || !mutation.isError ? null : describeFailure(mutation.error)
  const isNewGroup = edited === null && groupKey === NEW_GROUP
  const isComplete = name.trim() !== '' && (!(isNewGroup || edited !== null) || groupName.trim() !== '')
  function submit(): void {
    if (!isComplete) return
    const list = variants
      .split(';')
      .map((variant) => variant.trim())
      .filter((variant) => variant !== '')
    const options = { onSuccess: onClose }
    if (edited !== null) {
      mutations.update.mutate({ id: edited.id, body: { name, group_name: groupName, variants: list } }, options)
      return
    }
    const key = isNewGroup
      ? toFreeKey(
          scope === 'instance' ? `${INSTANCE_KEY_PREFIX}${toKey(groupName)}` : groupName,
          groups.map((group) => group.key),
        )
      : groupKey
    const used = configurations.filter(({ group_key: group }) => group === key).map((other) => other.key)
    mutations.create.mutate(
      {
        group_key: key,
        ...(isNewGroup ? { group_name: groupName } : {}),
        key: toFreeKey(name, used),
        name,
        variants: list,
      },
      options,
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={edited === null ? 'Add configuration' : `Edit “${edited.name}”`}
      submitLabel={edited === null ? 'Add' : 'Save'}
      isBusy={mutation.isPending}
      isDisabled={!isComplete}
      className={styles.form}
      onSubmit={submit}
    >
      {failure !== null && failure.fields.size === 0 && <Banner tone="error">{failure.message}</Banner>}
      {edited === null && groups.length > 0 && (
        <Select
          label="Group"
          value={groupKey}
          options={[
            ...groups.map((group) => ({ value: group.key, label: group.name })),
            { value: NEW_GROUP, label: 'New group…' },
          ]}
          onChange={setGroupKey}
        />
      )}
      {(isNewGroup || edited !== null) && (
        <TextField
          label="Name of the group"
          required
          maxLength={255}
          autoComplete="off"
          value={groupName}
          hint="Such as Browser, System or Device."
          error={failure?.fields.get('group_name') ?? null}
          onChange={({ target }) => setGroupName(target.value)}
        />
      )}
      <TextField
        label="Name"
        required
        maxLength={255}
        autoComplete="off"
        value={name}
        hint="Such as Chrome."
        error={failure?.fields.get('name') ?? null}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Variants of automated tests"
        maxLength={5000}
        autoComplete="off"
        value={variants}
        hint="Names that reports have for it, such as the Playwright project, with ; between them. * at the end stands for anything."
        error={failure?.fields.get('variants') ?? null}
        onChange={({ target }) => setVariants(target.value)}
      />
    </FormDialog>
  )
}
