import { createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import { type Answers, type AnswerFormat, toText } from '../answers.ts'
import { isRaw, type Raw, readList, readObject, readObjects, readString, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { readDescription } from '../jira-description.ts'

/** What the APIs of Jira and Zephyr Squad Cloud have answered: issues, teststeps, cycles, executions and so on. */
export const zephyrSquadAnswers: AnswerFormat = {
  system: 'zephyr-squad',
  async *read(answers, context) {
    const steps = new Map<string, Raw[]>()
    for await (const { of, item } of answers.read('teststeps')) steps.set(of, [...(steps.get(of) ?? []), item])
    const keys = new Map<string, string>()
    for await (const { item } of answers.read('issues')) {
      const id = toText(item['id'])
      keys.set(id, toText(item['key']))
      yield readIssue(item, keys.size, steps.get(id) ?? [])
    }
    yield* readCycles(answers)
    yield* readExecutions(answers, keys, context)
  },
}

/** Steps say their order, which is not that of the answer. */
const readSteps = (steps: readonly Raw[]): StepRecord[] =>
  steps
    .toSorted((one, other) => Number(one['orderId'] ?? 0) - Number(other['orderId'] ?? 0))
    .map((step) => ({
      action: toText(step['step']),
      data: toText(step['data']),
      expected: toText(step['result']),
    }))

/** A person of Jira: the email address, if Jira shows it. */
const toPerson = (person: Raw): string => readString(person, 'emailAddress') || readString(person, 'displayName')

function readIssue(item: Raw, position: number, steps: readonly Raw[]): ImportRecord {
  const fields = readObject(item, 'fields')
  const key = toText(item['key'])
  const listNames = (name: string) =>
    readObjects(fields, name)
      .map((each) => readString(each, 'name'))
      .join(', ')
  const linked = readObjects(fields, 'issuelinks').map(
    (link) => readString(readObject(link, 'outwardIssue'), 'key') || readString(readObject(link, 'inwardIssue'), 'key'),
  )
  return createCase({
    key,
    title: readString(fields, 'summary') || `Test ${key}`,
    position,
    markup: 'jira',
    descriptions: [{ heading: 'Description', text: readDescription(fields['description']) }],
    steps: readSteps(steps),
    priority: readString(readObject(fields, 'priority'), 'name'),
    state: readString(readObject(fields, 'status'), 'name'),
    tags: readStrings(fields, 'labels'),
    owner: toPerson(readObject(fields, 'assignee')),
    fields: Object.fromEntries(
      [['Components', listNames('components')] as const, ['Fix versions', listNames('fixVersions')] as const].filter(
        ([, value]) => value !== '',
      ),
    ),
    links: linked.filter((target) => target !== '').map((target) => ({ target, kind: 'requirement' as const })),
    created_by: toPerson(readObject(fields, 'creator')),
    created_at: toText(fields['created']),
    updated_at: toText(fields['updated']),
  })
}

/** Milliseconds since 1970, or a text. */
const toTime = (value: unknown): string =>
  /^\d{12,14}$/.test(toText(value)) ? new Date(Number(value)).toISOString() : toText(value)

/** The executions in a folder of a cycle are those of the cycle: `<version> <cycle> <folder>`. */
const toRunKey = (list: string): string => list.split(' ', 2).join(' ')

async function* readCycles(answers: Answers): AsyncGenerator<ImportRecord> {
  const versions = await answers.names('versions')
  const used = new Set<string>()
  for await (const { of } of answers.read('executions')) used.add(toRunKey(of))
  // Older cycles than asked for are in the list, but their executions were not read.
  const read = await answers.listOf('executions')
  for await (const { of: versionId, item } of answers.read('cycles')) {
    const id = toText(item['id'])
    const key = `${versionId} ${id}`
    // Every version has a cycle for executions without one, mostly empty.
    if (!read.has(key) || (id === '-1' && !used.has(key))) continue
    const metadata = {
      Version: versions.get(versionId) ?? '',
      Environment: readString(item, 'environment'),
      Build: readString(item, 'build'),
    }
    yield {
      kind: 'run',
      key,
      name: readString(item, 'name') || key,
      description: readString(item, 'description'),
      created_at: toTime(item['startDate'] ?? item['creationDate']),
      completed_at: toTime(item['endDate']),
      metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== '')),
    }
  }
}

async function* readExecutions(
  answers: Answers,
  keys: ReadonlyMap<string, string>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  let count = 0
  for await (const { of, item } of answers.read('executions')) {
    count += 1
    yield {
      kind: 'result',
      run: toRunKey(of),
      case: readString(item, 'issueKey') || (keys.get(toText(item['issueId'])) ?? toText(item['issueId'])),
      status: readString(readObject(item, 'status'), 'name'),
      note: toText(item['comment']),
      elapsed_seconds: null,
      person: readString(item, 'executedByAccountId') || readString(item, 'executedBy'),
      at: toTime(item['executedOn']),
      defects: readList(item, 'defects')
        .map((defect) => (isRaw(defect) ? readString(defect, 'key') : toText(defect)))
        .filter((defect) => defect !== ''),
    }
  }
  if (count > 0) losses.add('not_imported:results_of_steps', { place: 'not read' })
  if (count > 0) losses.add('not_imported:attachments_of_results', { place: 'not read' })
}
