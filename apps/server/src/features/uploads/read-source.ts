import type { UploadBody } from '@caseward/contract/upload-body'
import { cutText } from '@caseward/matching/note'

import type { Source } from '../tests/combine-parts.ts'

const MAX_LENGTH = 255

/** Returns what in CI produced an upload. Where CI tells no instance, the place where the tests ran is the instance. */
export function readSource(body: UploadBody): Source {
  const {
    job,
    instance,
    shard,
    variant,
    label,
    build_attempt: buildAttempt = null,
    rerun: isRerun = false,
    module,
    report,
  } = body
  const read = (text = '') => cutText(text.trim(), MAX_LENGTH).trim()
  return {
    job: read(job),
    instance: read(instance) || read(label),
    shard: read(shard),
    variant: read(variant),
    // Two packages of a job are two sources.
    report: read(report) || read(module),
    label: read(label),
    jobUrl: readUrl(body.job_url),
    buildAttempt,
    isRerun,
  }
}

const MAX_URL_LENGTH = 2000

/** An address that pages can link to; '' if it is none. */
function readUrl(text = ''): string {
  return text.length <= MAX_URL_LENGTH && /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : ''
}
