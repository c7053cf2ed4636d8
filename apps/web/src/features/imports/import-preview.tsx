import type { ImportSettings } from '@caseward/client/endpoints'
import { useState } from 'react'

import { RequestFailed } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../transfer/import.module.css'
import { countActions, describeActions } from './import-words.ts'
import type { ImportPartProps } from './import-part-props.ts'
import { LossList } from './loss-list.tsx'
import { collectChoices, DATE_ORDER_WORDS, type DateOrder, PlanChoices } from './plan-choices.tsx'
import { RecordList } from './record-list.tsx'

/** What would be stored, what would get lost, and what can be chosen. Nothing is stored yet. */
export function ImportPreview({ projectId, current, action, mayManage }: ImportPartProps) {
  const { planning, reading, plan, format, source } = current
  const [settings, setSettings] = useState<ImportSettings>({})
  const hasChanges = Object.keys(settings).length > 0
  const { error } = action
  const isOutdated =
    error instanceof RequestFailed && error.reply.kind === 'problem' && error.reply.problem.code === 'plan_changed'
  if (planning === null || plan === null) return null
  const needsAdmin = planning.needs_settings && !mayManage
  const count = countActions(planning.actions, 'case', 'create') + countActions(planning.actions, 'case', 'update')
  return (
    <>
      <p className={styles.summary}>
        Recognized as {format}, from “{source}”: {formatNumberOf(reading?.steps ?? 0, 'step')} in all. Nothing is stored
        yet.
      </p>
      <ul className={styles.resultList}>
        {describeActions(planning.actions).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {planning.absent > 0 && !planning.actions.some((item) => item.action === 'absent_in_source') && (
          <li>{formatNumberOf(planning.absent, 'test case')} of earlier imports: not in this file, left as they are</li>
        )}
        {planning.similar !== undefined && planning.similar.count > 0 && (
          <li>
            {formatNumberOf(planning.similar.count, 'new test case')}: similar to one that exists. Created all the same.
          </li>
        )}
        {planning.similar !== undefined && planning.similar.not_compared > 0 && (
          <li>{formatNumberOf(planning.similar.not_compared, 'new test case')}: not compared with those that exist</li>
        )}
        {planning.similar?.is_complete === false && (
          <li>Older test cases of this large project were compared by their whole title only</li>
        )}
      </ul>
      {planning.questions
        .filter(({ id, answer }) => answer === null && (id === 'encoding' || id === 'project' || id === 'date_order'))
        .map(({ id, sentence, default: fallback }) => (
          <Banner key={id} tone="warning">
            {sentence} Used now: {id === 'date_order' ? DATE_ORDER_WORDS[fallback as DateOrder] : fallback}.
          </Banner>
        ))}
      <h3 className={styles.stepTitle}>Not as in the source</h3>
      <LossList losses={planning.losses} />
      <h3 className={styles.stepTitle}>Choices</h3>
      <PlanChoices {...{ current, settings, mayManage }} onChange={setSettings} />
      <h3 className={styles.stepTitle}>What the file contains</h3>
      <RecordList {...{ projectId, current }} />
      {needsAdmin && (
        <Banner tone="warning">
          The plan creates custom fields or options: an admin of the project must import it.
        </Banner>
      )}
      <div className={styles.helpEnd}>
        {hasChanges || isOutdated ? (
          <Button
            size="form"
            variant="primary"
            isBusy={action.isPending}
            onClick={() => action.mutate({ kind: 'plan', settings: hasChanges ? settings : collectChoices(current) })}
          >
            {hasChanges ? 'Plan again with these choices' : 'Plan again'}
          </Button>
        ) : (
          !needsAdmin && (
            <Button
              size="form"
              variant="primary"
              isBusy={action.isPending}
              onClick={() => action.mutate({ kind: 'apply', plan })}
            >
              {count === 0 ? 'Import: nothing changes' : `Import ${formatNumberOf(count, 'test case')}`}
            </Button>
          )
        )}
      </div>
    </>
  )
}
