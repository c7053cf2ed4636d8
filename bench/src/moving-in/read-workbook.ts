import { fromPath } from '@caseward/importers/input/import-file'
import { openImport } from '@caseward/importers/open-import'
import { prepareCase } from '@caseward/importers/prepare-case'

/* A process of its own that reads a file: its memory is not that of the bench. */

const [path = ''] = process.argv.slice(2)
const idle = process.memoryUsage.rss()
const start = performance.now()
const opened = await openImport(await fromPath(path))
let cases = 0
for await (const record of opened.records()) {
  if (record.kind !== 'case') continue
  prepareCase(record)
  cases += 1
}
const seconds = (performance.now() - start) / 1000
const addedMb = process.resourceUsage().maxRSS / 1024 - idle / 1_048_576
process.send?.({ cases, seconds, addedMb })
