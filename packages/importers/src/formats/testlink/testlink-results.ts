import { readDuration } from '../../steps/durations.ts'
import { getText, readXml } from '../../xml/read-xml.ts'
import type { XmlFormat } from '../format.ts'

/** Results that TestLink imports; their cases must have been imported before. */
export const testlinkResults: XmlFormat = {
  system: 'testlink',
  format: 'testlink-results',
  matches: ({ root, inner }) =>
    root === 'results' &&
    inner.some((name) => ['testcase', 'testplan', 'testproject', 'build', 'platform'].includes(name)),
  async *read(file) {
    const run = 'results'
    let isFirst = true
    for await (const event of readXml(file, (name) => name === 'results')) {
      if (event.type !== 'node' || event.node.name !== 'testcase') continue
      const { node } = event
      if (isFirst)
        yield { kind: 'run', key: run, name: 'Results from TestLink', created_at: getText(node, 'timestamp') }
      isFirst = false
      yield {
        kind: 'result',
        run,
        case: node.attributes['external_id'] ?? node.attributes['id'] ?? node.attributes['name'] ?? '',
        status: getText(node, 'result'),
        note: getText(node, 'notes'),
        elapsed_seconds: readDuration(getText(node, 'execution_duration'), 60),
        person: getText(node, 'tester'),
        at: getText(node, 'timestamp'),
        defects: [],
      }
    }
  },
}
