import { readDuration } from '../../steps/durations.ts'
import { getChildren, getText, readXml, type XmlNode } from '../../xml/read-xml.ts'
import type { XmlFormat } from '../format.ts'
import { countUnread, type KnownXml } from '../unread-elements.ts'

/** What results belong to, in the order in which it names a run. */
const CONTEXT = ['testproject', 'testplan', 'build', 'platform'] as const

const KNOWN: KnownXml = {
  results: { are: 'results', read: '' },
  testproject: { are: 'projects', read: '@name @id', meaningless: '@prefix' },
  testplan: { are: 'plans', read: '@name @id' },
  build: { are: 'builds', read: '@name @id' },
  platform: { are: 'platforms', read: '@name @id' },
  testcase: {
    are: 'results',
    read: `@external_id @id @name timestamp result notes tester execution_duration bug_id custom_fields.* steps.*`,
  },
}

/** Results that TestLink imports; their cases must have been imported before. */
export const testlinkResults: XmlFormat = {
  system: 'testlink',
  format: 'testlink-results',
  matches: ({ root, inner }) =>
    root === 'results' &&
    inner.some((name) => ['testcase', 'testplan', 'testproject', 'build', 'platform'].includes(name)),
  async *read(file, { losses }) {
    const context = new Map<string, string>()
    let run: string | null = null
    const events = readXml(file, (name) => name === 'results')
    for await (const event of countUnread(events, KNOWN, losses, toCaseKey)) {
      if (event.type !== 'node') continue
      const { node } = event
      if ((CONTEXT as readonly string[]).includes(node.name)) {
        context.set(node.name, node.attributes['name'] ?? node.attributes['id'] ?? '')
      }
      if (node.name !== 'testcase') continue
      if (run === null) {
        const words = CONTEXT.flatMap((name) => (context.get(name) ? [`${name} ${context.get(name)}`] : []))
        run = words.join(', ') || 'results'
        const name = words.length === 0 ? 'Results from TestLink' : `Results from TestLink: ${words.join(', ')}`
        yield { kind: 'run', key: run, name, created_at: getText(node, 'timestamp') }
      }
      const place = { key: toCaseKey(node) }
      const isFilled = ({ text, children }: XmlNode): boolean => text.trim() !== '' || children.some(isFilled)
      if (getChildren(node, 'custom_fields').some(isFilled)) losses.add('not_imported:fields_of_results', place)
      if (getChildren(node, 'steps').some(isFilled)) losses.add('not_imported:results_of_steps', place)
      const [duration, notes] = [getText(node, 'execution_duration'), getText(node, 'notes')]
      const elapsed = readDuration(duration, 60)
      yield {
        kind: 'result',
        run,
        case: toCaseKey(node),
        status: getText(node, 'result'),
        note: elapsed === null && duration !== '' ? `${notes}\n\nDuration: ${duration}`.trim() : notes,
        elapsed_seconds: elapsed,
        person: getText(node, 'tester'),
        at: getText(node, 'timestamp'),
        defects: getChildren(node, 'bug_id')
          .map(({ text }) => text.trim())
          .filter((id) => id !== ''),
      }
    }
  },
}

/** The same keys as those of the test cases in TestLink's XML. */
function toCaseKey({ attributes }: XmlNode): string {
  const { external_id: externalId, id, name } = attributes
  return externalId ?? (id === undefined ? (name ?? '') : `internal-${id.trim()}`)
}
