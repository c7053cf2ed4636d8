import { createCase, type ImportRecord } from '../../records.ts'
import { toZonedTime } from '../../steps/local-time.ts'
import { type Answers, type AnswerFormat, toText, toNumber } from '../answers.ts'
import { isRaw, type Raw, readObjects } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { readTestlinkRuns } from './testlink-history.ts'
import { findPrefix, getKey, IMPORTANCE, STATES } from './testlink-values.ts'

/** What the API of TestLink has answered: test suites, test cases, executions and so on. */
export const testlinkAnswers: AnswerFormat = {
  system: 'testlink',
  async *read(answers, context) {
    yield* readSuites(answers)
    yield* readCases(answers, context)
    yield* readTestlinkRuns(answers, context)
  },
}

async function* readSuites(answers: Answers): AsyncGenerator<ImportRecord> {
  const suites: { parent: string; item: Raw }[] = []
  for await (const { of, item } of answers.read('suites')) suites.push({ parent: of, item })
  for (const { parent, item } of suites) {
    const description = toText(item['details'])
    yield {
      kind: 'folder',
      key: toText(item['id']),
      name: toText(item['name']) || 'Untitled',
      // The lists of those below are each of the suite above.
      parent: parent === '' ? null : parent,
      position: toNumber(item['node_order']),
      ...(description !== '' && { description }),
    }
  }
}

async function* readCases(answers: Answers, { losses }: ReadContext): AsyncGenerator<ImportRecord> {
  const prefix = await findPrefix(answers)
  const fields = new Map<string, [string, string][]>()
  for await (const { of, item } of answers.read('custom_fields')) {
    const value = toText(item['value'])
    if (value !== '') fields.set(of, [...(fields.get(of) ?? []), [toText(item['id']), value]])
  }
  for await (const { of, item } of answers.read('cases')) {
    const key = getKey(item, prefix)
    if (toNumber(item['version']) > 1) losses.add('older_versions', { key })
    const importance = toText(item['importance'])
    const [author, updater] = [toText(item['author_id']), toText(item['updater_id'])]
    const keywords = item['keywords']
    yield createCase({
      key,
      title: toText(item['name']),
      folder: of,
      position: toNumber(item['node_order']),
      markup: 'html',
      precondition: toText(item['preconditions']),
      descriptions: [{ heading: 'Summary', text: toText(item['summary']) }],
      steps: readObjects(item, 'steps').map((step) => ({
        action: toText(step['actions']),
        expected: toText(step['expected_results']),
      })),
      priority: IMPORTANCE.get(importance) ?? importance,
      type: toText(item['execution_type']) === '2' ? 'Automated' : '',
      state: STATES.get(toText(item['status'])) ?? toText(item['status']),
      tags: isRaw(keywords)
        ? Object.values(keywords).flatMap((keyword) => (isRaw(keyword) ? [toText(keyword['keyword'])] : []))
        : [],
      written_estimate: { text: toText(item['estimated_exec_duration']), unitSeconds: 60 },
      fields: Object.fromEntries(fields.get(key) ?? []),
      created_by: author === '' ? '' : `User ${author}`,
      created_at: toZonedTime(toText(item['creation_ts']), answers.timeZone),
      updated_by: updater === '' ? '' : `User ${updater}`,
      updated_at: toZonedTime(toText(item['modification_ts']), answers.timeZone),
    })
  }
}
