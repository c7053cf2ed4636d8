import type { OutcomePart } from '@caseward/client/endpoints'

/** What a report says about where it comes from. */
export type PartSource = Pick<
  OutcomePart,
  'job' | 'instance' | 'shard' | 'variant' | 'report' | 'label' | 'build_attempt' | 'rerun'
>

/**
 * Says where a job ran and which of its reports it is, to be read after the name of the job: "on Windows X64, Node 20",
 * "on Linux, shard 2, build attempt 2".
 */
export function describePlace(source: PartSource): string {
  const { instance, shard, variant, report, label, build_attempt: buildAttempt, rerun } = source
  const details = [
    variant,
    // Where CI tells no instance, it is the label.
    instance === label ? '' : instance === '' ? '' : `instance ${instance}`,
    shard === '' || shard === instance ? '' : `shard ${shard}`,
    report,
    // Most CI systems begin at 1, and some count all jobs.
    buildAttempt === null || buildAttempt === 1 ? '' : `build attempt ${buildAttempt}`,
    rerun ? 'run again' : '',
  ].filter((text) => text !== '')
  const place = label === '' ? '' : `on ${label}`
  return [place, ...details].filter((text) => text !== '').join(', ')
}
