import type { ImportRecord } from '../../records.ts'
import { type Answers, toText, toNumber } from '../answers.ts'
import { type Raw, readObject, readObjects } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import type { AzurePeople } from './azure-people.ts'

/** A test case has a result for each configuration, so that each is a run of its own. */
const getRunKey = (run: string, result: Raw): string => {
  const configuration = toText(readObject(result, 'configuration')['id'])
  return configuration === '' ? run : `${run}-${configuration}`
}

/** Reads runs, each for every configuration of its own, and results. */
export async function* readAzureRuns(
  answers: Answers,
  people: AzurePeople,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const configurations = new Map<string, Map<string, string>>()
  for await (const { of, item } of answers.read('results')) {
    const names = configurations.get(of) ?? new Map<string, string>()
    configurations.set(of, names)
    names.set(getRunKey(of, item), toText(readObject(item, 'configuration')['name']))
  }
  const plans = await answers.names('plans')
  // Older runs than asked for are in the list, but their results were not read.
  const read = await answers.listOf('results')
  for await (const { item } of answers.read('runs')) {
    const key = toText(item['id'])
    const plan = plans.get(toText(readObject(item, 'plan')['id'])) ?? toText(readObject(item, 'plan')['name'])
    if (!read.has(key)) {
      if (isAutomated(item)) losses.add('not_imported:automated_runs', { key })
      continue
    }
    const names = configurations.get(key) ?? new Map([[key, '']])
    for (const [own, configuration] of names) {
      const name = toText(item['name']) || key
      const build = toText(readObject(item, 'build')['name'])
      yield {
        kind: 'run',
        key: own,
        name: names.size > 1 && configuration !== '' ? `${name} (${configuration})` : name,
        description: toText(item['comment']),
        created_at: toText(item['startedDate']) || toText(item['createdDate']),
        completed_at: toText(item['completedDate']),
        created_by: people.find(item['owner']),
        metadata: {
          ...(plan !== '' && { Plan: plan }),
          ...(configuration !== '' && { Configuration: configuration }),
          ...(build !== '' && { Build: build }),
        },
      }
    }
  }
  for await (const { of, item } of answers.read('results')) {
    const milliseconds = toNumber(item['durationInMs'])
    yield {
      kind: 'result',
      run: getRunKey(of, item),
      case: toText(readObject(item, 'testCase')['id']),
      status: toStatus(item),
      note: [toText(item['comment']), toText(item['errorMessage']), toText(item['stackTrace'])]
        .filter((text) => text !== '')
        .join('\n\n'),
      elapsed_seconds: milliseconds > 0 ? Math.round(milliseconds / 1000) : null,
      person: people.find(item['runBy']),
      at: toText(item['completedDate']) || toText(item['startedDate']),
      defects: readObjects(item, 'associatedBugs')
        .map((bug) => toText(bug['id']))
        .filter((id) => id !== ''),
    }
  }
}

/** Runs of pipelines belong to no plan: the results of CI come from there. */
const isAutomated = (run: Raw): boolean => run['isAutomated'] === true && toText(readObject(run, 'plan')['id']) === ''

/** `NotApplicable` is `Not Applicable`; one without an outcome was not executed. */
function toStatus(result: Raw): string {
  const outcome = toText(result['outcome'])
  if (outcome === '' || outcome === 'None') return 'Not Executed'
  return outcome.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}
