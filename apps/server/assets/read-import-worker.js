// Reads a file of another tool in a thread of its own: what parses foreign files has limited memory, and can be ended.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import { ImportProblem } from '@caseward/importers/import-problem'
import { fromPath } from '@caseward/importers/input/import-file'
import { openImport } from '@caseward/importers/open-import'
import { prepareCase } from '@caseward/importers/prepare-case'
import { ReadStatistics } from '@caseward/importers/read-statistics'
import { BatchOfRecords } from '@caseward/importers/staged-batch'

const { path, name, choices, maxOptions } = workerData

// Requests come first. Only Linux has priorities of threads: elsewhere it would be that of the service.
if (process.platform === 'linux') setPriority(0, 5)

// Not the window of a browser: it has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (message) => parentPort.postMessage(message)

/** The server stores one batch, and another one is read meanwhile: few records are in memory. */
let stored = Promise.resolve()
async function sendBatch(batch) {
  await stored
  stored = new Promise((resolve) => {
    parentPort.once('message', resolve)
  })
  send({ batch })
}

try {
  const opened = await openImport({ ...(await fromPath(path)), name }, choices)
  const { system, format, encoding } = opened
  const batch = new BatchOfRecords()
  const statistics = new ReadStatistics(maxOptions)
  for await (const record of opened.records()) {
    const prepared = record.kind === 'case' ? prepareCase(record) : null
    statistics.add(record, prepared)
    batch.add(record, prepared)
    if (batch.isFull) await sendBatch(batch.take())
  }
  if (!batch.isEmpty) await sendBatch(batch.take())
  await stored
  send({
    end: {
      found: statistics.finish(),
      system,
      format,
      encoding: encoding?.encoding ?? null,
      losses: opened.losses(),
      questions: opened.questions(),
    },
  })
} catch (error) {
  if (!(error instanceof ImportProblem)) throw error
  send({ problem: { code: error.code, detail: error.message } })
}
parentPort.unref()
