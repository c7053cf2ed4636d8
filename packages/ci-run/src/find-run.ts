import type { Client } from '@caseward/client'
import { createRun, type Run } from '@caseward/client/endpoints'

import { toPlainText, truncateText } from './plain-text.ts'
import type { KeyTarget } from './settings.ts'

const MAX_NAME_LENGTH = 255
const MAX_METADATA_LENGTH = 1000

/**
 * Finds the run of a key, or creates it. Of several jobs at the same time, one creates it.
 * @returns the reply of the server: use {@link isRunOfKey} to check the run
 */
export function findOrCreateRun(
  client: Client,
  projectId: string,
  target: KeyTarget,
  options: { readonly signal?: AbortSignal } = {},
) {
  return client.call(createRun, { params: { project_id: projectId }, body: toCreateRunBody(target), ...options })
}

/** Builds the request that finds or creates the run of a key, and says which CI job begins to report. */
export function toCreateRunBody({
  key,
  name,
  metadata,
  fields,
  expectedShards,
  job,
}: Omit<KeyTarget, 'kind' | 'projectId'>) {
  return {
    name: truncateText(name, MAX_NAME_LENGTH) || key,
    run_key: toRunKey(key),
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([field, value]) => [field, truncateText(value, MAX_METADATA_LENGTH)]),
    ),
    ...(fields === undefined ? {} : { fields }),
    ...(expectedShards === null ? {} : { expected_shards: expectedShards }),
    ...(job === '' ? {} : { job }),
  }
}

/** Returns whether the run has the key: an older server ignores keys. */
export const isRunOfKey = ({ run_key: runKey }: Partial<Run>, { key }: Pick<KeyTarget, 'key'>): boolean =>
  runKey === toRunKey(key)

/** Explains that a run does not have the key that it was requested by, and what to do: one sentence each. */
export const describeRunWithoutKey = (runId: string): [string, string] => [
  `This server version does not support run keys: it created the run ${runId}, which no other job can find.`,
  'Update the server, or create the run beforehand and set SERVICE_RUN_ID to its id.',
]

/** Returns a key as the server stores it. Builds often differ only at its end, so that a longer key ends in a hash. */
export function toRunKey(key: string): string {
  const characters = Array.from(toPlainText(key).trim())
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('')
  let hash = 0n
  for (const character of characters)
    hash = (hash * 1_099_511_628_211n + BigInt(character.codePointAt(0) ?? 0)) % 2n ** 64n
  return `${characters.slice(0, 230).join('')} ${hash.toString(36)}`
}
