// Reads a file of another tool in a thread of its own: what parses foreign files has limited memory, and can be ended.
import { parentPort, workerData } from 'node:worker_threads'

import { ImportProblem } from '@caseward/importers/import-problem'
import { fromPath } from '@caseward/importers/input/import-file'
import { openImport } from '@caseward/importers/open-import'
import { prepareCase } from '@caseward/importers/prepare-case'

const { path, name, choices, batchSize } = workerData

/** Tells the server, and waits until it has stored what it was told, so that few records are in memory. */
// Not the window of a browser: it has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (message) => parentPort.postMessage(message)
const sendAndWait = (message) =>
  new Promise((resolve) => {
    parentPort.once('message', resolve)
    send(message)
  })

try {
  const opened = await openImport({ ...(await fromPath(path)), name }, choices)
  const { system, format, encoding } = opened
  let batch = []
  for await (const record of opened.records()) {
    batch.push({ record, prepared: record.kind === 'case' ? prepareCase(record) : null })
    if (batch.length < batchSize) continue
    await sendAndWait({ batch })
    batch = []
  }
  if (batch.length > 0) await sendAndWait({ batch })
  send({
    end: {
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
