import { splitText, toTextSteps } from '@caseward/case-files/convert-template'
import { joinSteps } from '@caseward/case-files/join-steps'
import type { FieldError } from '@caseward/contract/problem'
import { MAX_STEPS, type StepInput } from '@caseward/contract/steps'
import type { BulkUpdateBody } from '@caseward/contract/test-case-batches'
import type { Template } from '@caseward/contract/test-case-fields'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, invalidProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { resolveSteps } from '../shared-steps/resolve-steps.ts'
import { lockSteps } from '../shared-steps/shared-step-uses.queries.ts'
import { numberSteps, type StoredSteps } from '../shared-steps/step-groups.ts'
import type { Edit } from './apply-edits.ts'

/*
 * Steps in a bulk update: rewritten for another template, and restored. Only those that change are read.
 */

/** The most characters of steps that the response can contain as `before`. */
const MAX_TEXT_LENGTH = 8_000_000
/** The longest text of a step. */
const MAX_STEP_LENGTH = 65_536

/** @throws {Problem} 400 for `convert_steps` without a template */
export function requireTemplate({ set, convert_steps: converts = false }: BulkUpdateBody): void {
  if (converts && set?.template === undefined) throw invalidFieldProblem('/convert_steps', 'requires set.template')
}

/**
 * Rewrites the steps of test cases that get another template: steps as one text, or a text as steps.
 * @throws {Problem} 400 with every test case that would have too many steps or too long a text; 422 for too long texts
 */
export async function addConvertedSteps(
  tx: Database,
  projectId: string,
  edits: readonly Edit[],
  template: Template,
): Promise<Edit[]> {
  const numbers = edits.flatMap(({ testCase }) => (testCase.template === template ? [] : [testCase.number]))
  const current = await readSteps(tx, projectId, numbers)
  const errors: FieldError[] = []
  const converted = edits.map((edit, index) => {
    const stored = current.get(edit.testCase.number)
    if (stored === undefined) return edit
    const text = joinSteps(stored.steps)
    const steps = numberSteps(template === 'text' ? toTextSteps(text) : [...splitText(text)])
    const message = findTooLarge(steps)
    if (message !== null) errors.push({ path: `/test_case_ids/${index}`, message })
    return { ...edit, testCase: { ...edit.testCase, steps: stored }, steps: { steps, step_groups: null } }
  })
  if (errors.length > 0) throw invalidProblem(errors)
  return converted
}

function findTooLarge(steps: StoredSteps['steps']): string | null {
  if (steps.length > MAX_STEPS) return `would have more than ${MAX_STEPS} steps`
  const isTooLong = steps.some(({ action, expected }) => Math.max(action.length, expected.length) > MAX_STEP_LENGTH)
  return isTooLong ? 'would have a text of more than 65,536 characters' : null
}

/**
 * Adds the steps that `restore` sends to edits. Shared steps that have changed since are as they are now if they are followed.
 * @throws {Problem} 400 with every unknown shared step; 422 for too long texts
 */
export async function addRestoredSteps(
  tx: Database,
  projectId: string,
  edits: readonly Edit[],
  items: readonly { steps?: readonly StepInput[] }[],
): Promise<Edit[]> {
  const numbers = edits.flatMap(({ testCase }, index) => (items[index]?.steps === undefined ? [] : [testCase.number]))
  if (numbers.length === 0) return [...edits]
  const current = await readSteps(tx, projectId, numbers)
  const sent = edits.map(({ testCase }, index) => ({
    steps: items[index]?.steps,
    path: `/restore/${index}`,
    current: current.get(testCase.number) ?? null,
    isExact: true,
  }))
  const resolved = await resolveSteps(tx, projectId, sent)
  return edits.map((edit, index) => {
    const [stored, steps] = [current.get(edit.testCase.number), resolved[index]]
    return stored === undefined || steps === undefined
      ? edit
      : { ...edit, testCase: { ...edit.testCase, steps: stored }, steps }
  })
}

/** @throws {Problem} 422 for too long texts */
async function readSteps(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, StoredSteps>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ length: number }>`
    select coalesce(sum(length(steps::text)), 0)::float8 as length from test_cases
    where project_id = ${projectId} and number = any(${[...numbers]}::int[])`.execute(tx)
  if ((rows[0]?.length ?? 0) > MAX_TEXT_LENGTH) {
    throw unprocessableProblem(
      'change_too_large',
      'These test cases have more than 8 million characters in their steps. Change fewer of them at a time.',
    )
  }
  const stored = await lockSteps(tx, projectId, numbers)
  return new Map(stored.map(({ number, steps, step_groups }) => [number, { steps, step_groups }]))
}
