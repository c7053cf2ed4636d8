import {
  type Import,
  type ImportSettings,
  PRIORITIES,
  type Priority,
  RESULT_STATUSES,
  type ResultStatus,
  TEST_CASE_TYPES,
  type TestCaseType,
} from '@caseward/client/endpoints'

import { TextField } from '../../ui/field.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Select } from '../../ui/select.tsx'
import styles from '../transfer/import.module.css'

interface PlanChoicesProps {
  current: Import
  /** What differs from the plan. */
  settings: ImportSettings
  mayManage: boolean
  onChange: (settings: ImportSettings) => void
}

type Planning = NonNullable<Import['planning']>
export type DateOrder = NonNullable<ImportSettings['date_order']>
type Absent = NonNullable<ImportSettings['absent']>
const toOptions = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** How dates are read. */
export const DATE_ORDER_WORDS: Readonly<Record<DateOrder, string>> = {
  day_first: 'day, month, year',
  month_first: 'month, day, year',
}

/** UTC and the zone of this browser first. */
const listTimeZones = (chosen: string | undefined) => [
  ...new Set([
    'UTC',
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(chosen === undefined ? [] : [chosen]),
    ...Intl.supportedValuesOf('timeZone'),
  ]),
]

/** The choices of a plan that are sent: all of them, as those that are left out become suggestions again. */
export function collectChoices({ planning, source }: Pick<Import, 'planning' | 'source'>): ImportSettings {
  const values = planning?.values.filter(({ is_known: isKnown }) => isKnown) ?? []
  const pattern = planning?.questions.find(({ id }) => id === 'id_pattern')?.answer ?? null
  const encoding = planning?.questions.find(({ id }) => id === 'encoding')?.answer ?? null
  const project = planning?.questions.find(({ id }) => id === 'project')?.answer ?? null
  const dateOrder = planning?.questions.find(({ id }) => id === 'date_order')?.answer ?? null
  const timeZone = planning?.questions.find(({ id }) => id === 'time_zone')?.answer ?? null
  const absent = planning?.questions.find(({ id }) => id === 'absent')?.answer ?? null
  return {
    ...(source === null ? {} : { source }),
    priorities: values.flatMap(({ field, from, to }) => (field === 'priority' ? [{ from, to: to as Priority }] : [])),
    types: values.flatMap(({ field, from, to }) => (field === 'type' ? [{ from, to: to as TestCaseType }] : [])),
    statuses: values.flatMap(({ field, from, to }) => (field === 'status' ? [{ from, to: to as ResultStatus }] : [])),
    fields:
      planning?.fields.flatMap(({ name, to }) => (to === 'ignore' || to === 'details' ? [{ name, to }] : [])) ?? [],
    ...(pattern === null ? {} : { id_pattern: pattern }),
    ...(encoding === null ? {} : { encoding }),
    ...(project === null ? {} : { project }),
    ...(timeZone === null ? {} : { time_zone: timeZone }),
    ...(dateOrder === null ? {} : { date_order: dateOrder as DateOrder }),
    ...(absent === null ? {} : { absent: absent as Absent }),
  }
}

/** The source, values that are not known, custom fields, and the address of issues. */
export function PlanChoices({ current, settings, mayManage, onChange }: PlanChoicesProps) {
  const { planning, source } = current
  if (planning === null) return null
  const all: ImportSettings = { ...collectChoices(current), ...settings }
  const change = (changes: ImportSettings) => onChange({ ...all, ...changes })
  const projects = planning.questions.find(({ id }) => id === 'project')
  const dates = planning.questions.find(({ id }) => id === 'date_order')
  const times = planning.questions.find(({ id }) => id === 'time_zone')
  const absent = planning.questions.find(({ id }) => id === 'absent')
  const hasIds = planning.questions.some(({ id }) => id === 'id_pattern')
  return (
    <>
      <div className={styles.choice}>
        <TextField
          label="Source"
          value={all.source ?? source ?? ''}
          maxLength={100}
          hint="Files of the same source update what earlier ones have created."
          onChange={({ target: { value } }) => change({ source: value })}
        />
      </div>
      {projects !== undefined && (
        <div className={styles.choice}>
          <Select
            label="Project of the file"
            value={all.project ?? projects.default}
            options={projects.options.map((value) => ({ value, label: value }))}
            onChange={(value) => change({ project: value })}
          />
        </div>
      )}
      {dates !== undefined && (
        <div className={styles.choice}>
          <Select
            label={dates.sentence}
            value={all.date_order ?? (dates.default as DateOrder)}
            options={[
              { value: 'day_first', label: `The first: ${DATE_ORDER_WORDS.day_first}` },
              { value: 'month_first', label: `The second: ${DATE_ORDER_WORDS.month_first}` },
            ]}
            onChange={(value) => change({ date_order: value })}
          />
        </div>
      )}
      {times !== undefined && (
        <div className={styles.choice}>
          <Select
            label={times.sentence}
            value={all.time_zone ?? times.default}
            options={listTimeZones(all.time_zone).map((value) => ({ value, label: value }))}
            onChange={(value) => change({ time_zone: value })}
          />
        </div>
      )}
      {absent !== undefined && (
        <div className={styles.choice}>
          <Select
            label={absent.sentence}
            value={all.absent ?? (absent.default as Absent)}
            options={[
              { value: 'keep', label: 'They stay as they are' },
              { value: 'archive', label: 'They are archived' },
              { value: 'tag', label: 'They get the tag absent-in-source' },
            ]}
            onChange={(value) => change({ absent: value })}
          />
        </div>
      )}
      {hasIds && (
        <div className={styles.choice}>
          <TextField
            label="Address of issues"
            value={all.id_pattern ?? ''}
            placeholder="https://tracker.example/browse/{id}"
            hint="With it, ids of issues become links. Without it, they are text."
            onChange={({ target: { value } }) => change({ id_pattern: value })}
          />
        </div>
      )}
      <ValueChoices {...{ planning, all }} onChange={change} />
      <FieldChoices {...{ planning, all, mayManage }} onChange={change} />
    </>
  )
}

interface ChoicesProps {
  planning: Planning
  all: ImportSettings
  onChange: (changes: ImportSettings) => void
}

const VALUE_WORDS = { priority: 'Priority', type: 'Type', status: 'Status' } as const

/** Priorities, types and statuses whose meaning is not known. */
function ValueChoices({ planning, all, onChange }: ChoicesProps) {
  const unknown = planning.values.filter(({ is_known: isKnown }) => !isKnown)
  if (unknown.length === 0) return null
  return (
    <ul className={styles.columns}>
      {unknown.map(({ field, from, to, count }) => {
        const label = `What the ${field} “${from}” becomes`
        const choices = { priority: all.priorities, type: all.types, status: all.statuses }[field]
        const chosen = choices?.find((item) => item.from === from)?.to ?? to
        const others = <Item extends { from: string }>(items: readonly Item[] = []) =>
          items.filter((item) => item.from !== from)
        return (
          <li key={`${field} ${from}`} className={styles.column}>
            <div className={styles.columnText}>
              <p className={styles.columnName}>
                {VALUE_WORDS[field]} “{from}”
              </p>
              <p className={styles.examples}>
                Not known, in {formatNumberOf(count, field === 'status' ? 'result' : 'test case')}
              </p>
            </div>
            {field === 'priority' ? (
              <Select
                label={label}
                isLabelHidden
                value={chosen as Priority}
                options={toOptions(PRIORITIES)}
                onChange={(value) => onChange({ priorities: [...others(all.priorities), { from, to: value }] })}
              />
            ) : field === 'status' ? (
              <Select
                label={label}
                isLabelHidden
                value={chosen as ResultStatus}
                options={toOptions(RESULT_STATUSES)}
                onChange={(value) => onChange({ statuses: [...others(all.statuses), { from, to: value }] })}
              />
            ) : (
              <Select
                label={label}
                isLabelHidden
                value={chosen as TestCaseType}
                options={toOptions(TEST_CASE_TYPES)}
                onChange={(value) => onChange({ types: [...others(all.types), { from, to: value }] })}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What fields of the source become. */
function FieldChoices({ planning, all, mayManage, onChange }: ChoicesProps & { mayManage: boolean }) {
  if (planning.fields.length === 0) return null
  return (
    <ul className={styles.columns}>
      {planning.fields.map(({ name, filled, samples, to }) => {
        const key = /^(?:field|new):(.+)$/.exec(to)?.[1]
        const suggested =
          key === undefined
            ? null
            : { value: to, label: to.startsWith('new:') ? `New custom field ${key}` : `Custom field ${key}` }
        const options = [
          ...(suggested === null ? [] : [suggested]),
          ...(suggested === null && mayManage ? [{ value: 'new', label: 'A custom field' }] : []),
          { value: 'details', label: 'Kept in the details' },
          { value: 'ignore', label: 'Not imported' },
        ]
        const chosen = all.fields?.find((field) => field.name === name)?.to ?? to
        return (
          <li key={name} className={styles.column}>
            <div className={styles.columnText}>
              <p className={styles.columnName}>{name}</p>
              <p className={styles.examples}>
                {formatNumberOf(filled, 'value')}
                {samples.length === 0 ? '' : `: ${samples.join(', ')}`}
              </p>
            </div>
            <Select
              label={`What “${name}” becomes`}
              isLabelHidden
              value={chosen}
              options={options}
              onChange={(value) =>
                onChange({
                  fields: [...(all.fields ?? []).filter((field) => field.name !== name), { name, to: value }],
                })
              }
            />
          </li>
        )
      })}
    </ul>
  )
}
