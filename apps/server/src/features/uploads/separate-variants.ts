import { splitVariant } from '@caseward/matching/test-identity'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Source } from '../tests/combine-parts.ts'
import { selectTestsOfSources } from '../tests/known-tests.queries.ts'
import { selectSourcesOfOtherVariant } from '../tests/run-uploads.queries.ts'
import type { UploadTest } from './upload-test.ts'

/**
 * Makes tests new that were taken for known ones without a variant, or the other way round, if both kinds run in this build:
 * one job names a variant and another names none. Otherwise a test would get the variant of the first job that names one, and
 * a rerun of the job without a variant would not find it again beside the other variants. A rerun of a script repeats tests of
 * any variant.
 */
export async function separateVariants(
  db: Database,
  run: RunRef,
  tests: readonly UploadTest[],
  { variant, isRerun }: Source,
): Promise<void> {
  if (isRerun) return
  const adopting = tests.filter(adoptsVariant)
  if (adopting.length === 0) return
  const sources = await selectSourcesOfOtherVariant(db, run, variant !== '')
  if (sources.length === 0) return
  const ids = adopting.map(({ known }) => known?.id ?? '')
  const reported = await selectTestsOfSources(db, run, ids, sources)
  for (const test of adopting) if (test.known !== null && reported.has(test.known.id)) test.known = null
}

/** Whether only the test or only the known test has a variant: what they are depends on the other jobs of the build. */
export const adoptsVariant = ({ test, known }: UploadTest): boolean =>
  known !== null &&
  test.variant !== known.variant &&
  (splitVariant(test.variant).base === '') !== (splitVariant(known.variant).base === '')
