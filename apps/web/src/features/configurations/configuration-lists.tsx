import type { Configuration } from '@caseward/client/endpoints'
import { type ReactNode, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { ConfigurationDialog } from './configuration-dialog.tsx'
import { type ConfigurationActions, type ConfigurationGroup, toGroups } from './use-configurations.ts'

interface ConfigurationListsProps {
  configurations: readonly Configuration[]
  actions: ConfigurationActions
  /** Whose configurations they are. */
  scope: Configuration['scope']
}

/** Configurations group by group, and what can be done with each. */
export function ConfigurationLists({ configurations, actions, scope }: ConfigurationListsProps) {
  const { create, update, remove } = actions
  const [edited, setEdited] = useState<Configuration | 'new' | null>(null)
  const [asked, setAsked] = useState<Configuration | null>(null)
  const active = configurations.filter(({ retired_at: at }) => at === null)
  const retired = configurations.filter(({ retired_at: at }) => at !== null)
  const add = (
    <Button variant="primary" size="form" onClick={() => setEdited('new')}>
      Add configuration
    </Button>
  )
  return (
    <>
      {configurations.length === 0 ? (
        <EmptyState
          drawing="runs"
          title="No configurations yet"
          help={scope === 'project' ? 'running-tests' : 'administration'}
          actions={add}
        >
          {scope === 'project'
            ? 'Add browsers, systems or devices, and start runs in which each test case has a result for each of them.'
            : 'Add what all projects test with: every project can use it beside its own.'}
        </EmptyState>
      ) : (
        <div className={styles.bar}>
          <p className={styles.muted}>
            {scope === 'project'
              ? 'A run can test each of its test cases with several of these. Runs that exist keep what they have.'
              : 'Every project can use these beside its own. Runs that exist keep what they have.'}
          </p>
          {add}
        </div>
      )}
      {toGroups(active).map((group) => (
        <section key={group.key} className={styles.part} aria-label={group.name}>
          <h2>{group.name}</h2>
          <ul className={styles.list}>
            {group.configurations.map((configuration, index) => (
              <ConfigurationItem key={configuration.id} configuration={configuration}>
                <Move
                  group={group}
                  index={index}
                  onMove={(position) => update.mutate({ id: configuration.id, body: { position } })}
                />
                <Button
                  variant="quiet"
                  aria-label={`Edit ${configuration.name}`}
                  onClick={() => setEdited(configuration)}
                >
                  Edit
                </Button>
                <Button
                  variant="quiet"
                  aria-label={`Retire ${configuration.name}`}
                  onClick={() => update.mutate({ id: configuration.id, body: { retired: true } })}
                >
                  Retire
                </Button>
              </ConfigurationItem>
            ))}
          </ul>
        </section>
      ))}
      {retired.length > 0 && (
        <section className={styles.part} aria-label="Retired">
          <h2>Retired</h2>
          <p className={styles.muted}>New runs cannot have these.</p>
          <ul className={styles.list}>
            {retired.map((configuration) => (
              <ConfigurationItem key={configuration.id} configuration={configuration} isGroupNamed>
                <Button
                  variant="quiet"
                  aria-label={`Use again: ${configuration.name}`}
                  onClick={() => update.mutate({ id: configuration.id, body: { retired: false } })}
                >
                  Use again
                </Button>
                <Button
                  variant="quiet"
                  aria-label={`Delete ${configuration.name}`}
                  onClick={() => setAsked(configuration)}
                >
                  Delete
                </Button>
              </ConfigurationItem>
            ))}
          </ul>
        </section>
      )}
      <SaveMessage mutation={update} success="Saved" />
      <SaveMessage mutation={remove} success="Deleted" />
      {edited !== null && (
        <ConfigurationDialog
          configurations={configurations}
          edited={edited === 'new' ? null : edited}
          scope={scope}
          mutations={{ create, update }}
          onClose={() => setEdited(null)}
        />
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={`Delete “${asked?.name ?? ''}”?`}
        confirmLabel="Delete configuration"
        isDanger
        isBusy={remove.isPending}
        onConfirm={() => asked !== null && remove.mutate(asked.id, { onSettled: () => setAsked(null) })}
      >
        Runs that have it keep it with all of their results.
      </ConfirmDialog>
    </>
  )
}

/** One configuration, with the variants of tests that are results of it. */
export function ConfigurationItem({
  configuration: { name, group_name: groupName, variants },
  isGroupNamed = false,
  children,
}: {
  configuration: Configuration
  isGroupNamed?: boolean
  children?: ReactNode
}) {
  return (
    <li className={styles.item} style={{ flexWrap: 'wrap' }}>
      <div className={styles.text} style={{ minWidth: 140, overflowWrap: 'anywhere' }}>
        <div className={styles.name}>{isGroupNamed ? `${groupName}: ${name}` : name}</div>
        <div className={styles.muted}>
          {variants.length === 0 ? 'Set by people only' : `Automated tests: ${variants.join(' · ')}`}
        </div>
      </div>
      <div className={styles.buttons} style={{ gap: 0 }}>
        {children}
      </div>
    </li>
  )
}

/** Moves a configuration within its group. */
function Move({
  group: { configurations },
  index,
  onMove,
}: {
  group: ConfigurationGroup
  index: number
  onMove: (position: number) => void
}) {
  const name = configurations[index]?.name ?? ''
  if (configurations.length === 1) return null
  return (
    <>
      <Button variant="quiet" aria-label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(index)}>
        ↑
      </Button>
      <Button
        variant="quiet"
        aria-label={`Move ${name} down`}
        disabled={index === configurations.length - 1}
        onClick={() => onMove(index + 2)}
      >
        ↓
      </Button>
    </>
  )
}
