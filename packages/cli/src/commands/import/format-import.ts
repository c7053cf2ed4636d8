import { getImportedNoun } from '@caseward/ci-run/imported-nouns'
import { pluralize } from '@caseward/ci-run/wording'
import type { Import } from '@caseward/client/endpoints'

import { limitLines } from '../../limit-lines.ts'
import { toTerminalText } from '../../text.ts'

type Planning = NonNullable<Import['planning']>

const ACTIONS = [
  ['create', 'create', 'created'],
  ['update', 'update', 'updated'],
  ['unchanged', 'leave unchanged', 'unchanged'],
  ['conflict', 'leave as it is here, since both sides have changed it', 'changed on both sides, left as here'],
  ['deleted_here', 'not create again, since it was deleted here', 'deleted here, not created again'],
  ['not_imported', 'not import', 'not imported'],
  ['absent_in_source', 'not in the file, as chosen with --absent', 'not in the file, as chosen with --absent'],
] as const

/** Formats what a plan would do, what gets lost, and what is asked. */
export function formatPlan({ system, format, source, reading, planning }: Import): string[] {
  if (planning === null) return []
  const { questions, losses, values, fields } = planning
  const others = values.filter(({ is_known: isKnown }) => !isKnown)
  return [
    `Recognized: ${toTerminalText(format ?? system ?? '')}, source “${toTerminalText(source ?? '')}”, ${pluralize(reading?.steps ?? 0, 'step')}.`,
    ...formatActions(planning, 'plan'),
    ...(planning.absent > 0 && !planning.actions.some(({ action }) => action === 'absent_in_source')
      ? [`  ${pluralize(planning.absent, 'test case')} of earlier imports not in the file: left as they are`]
      : []),
    ...formatSection(
      'Not as in the source:',
      losses.map(({ code, count, sentence }) => `${count} × ${code}: ${toTerminalText(sentence)}`),
    ),
    ...formatSection(
      'Custom fields:',
      fields.map(({ name, filled, to }) => `${toTerminalText(name)} (${filled}) → ${to}`),
    ),
    ...formatSection(
      'Unknown values:',
      others.map(({ field, from, to, count }) => `${field} “${toTerminalText(from)}” (${count}) → ${to}`),
    ),
    ...formatSection(
      'Questions:',
      questions
        .filter(({ answer }) => answer === null)
        .map(({ id, sentence, default: fallback }) => {
          const otherwise = fallback === '' ? '' : ` Otherwise: ${toTerminalText(fallback)}.`
          return `${toTerminalText(id)}: ${toTerminalText(sentence)}${otherwise}`
        }),
    ),
    ...(planning.needs_settings
      ? ['It creates custom fields or options, so an admin of the project must apply it.']
      : []),
  ]
}

const formatSection = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...limitLines(lines.map((line) => `  ${line}`))]

function formatActions({ actions }: Planning, tense: 'plan' | 'past'): string[] {
  return ACTIONS.flatMap(([action, future, past]) =>
    actions
      .filter((item) => item.action === action && item.count > 0)
      .map(({ kind, count }) => `  ${pluralize(count, getImportedNoun(kind))}: ${tense === 'plan' ? future : past}`),
  )
}

/** Formats what was counted after an import. */
export function formatProof({ planning, proof }: Import): string[] {
  if (planning === null || proof === null) return []
  const { cases, folders, steps, is_equal: isEqual, differences } = proof
  return [
    ...formatActions(planning, 'past'),
    `Counted afterwards: ${cases.stored} of ${pluralize(cases.read, 'test case')}, ${folders.stored} of ${pluralize(folders.read, 'folder')}, ${steps.stored} of ${pluralize(steps.read, 'new step')}.`,
    ...(['milestones', 'runs', 'results'] as const).flatMap((kind) => {
      const counted = proof[kind]
      return counted === undefined || counted.read === 0
        ? []
        : [`  ${counted.stored} of ${pluralize(counted.read, kind.slice(0, -1))} are in the project.`]
    }),
    ...(isEqual ? [] : ['What was counted differs:', ...differences.map((line) => `  ${toTerminalText(line)}`)]),
  ]
}
