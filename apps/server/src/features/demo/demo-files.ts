import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'

import type { Deps } from '../../deps.ts'
import { attachFile } from '../attachments/attach-file.ts'
import { discardContent, writeContent } from '../files/receive-file.ts'
import type { DemoEvidence } from './demo-evidence.ts'

const readAsset = (name: string) => readFile(new URL(`../../../assets/demo/${name}`, import.meta.url))

/** What the shop wrote while the test failed. */
function writeLog(): Buffer {
  const lines: string[] = []
  const add = (at: number, text: string) => lines.push(`10:42:${(at / 1000).toFixed(3).padStart(6, '0')} ${text}`)
  for (let index = 0; index < 180; index += 1) {
    add(index * 130, `GET /basket/items/${(index * 7) % 23} 200 ${12 + ((index * 31) % 40)} ms`)
  }
  add(23_500, 'POST /checkout/payments')
  add(23_702, '\u001b[33mWARN\u001b[0m total 37.20 € of the basket, 37.21 € of the payment: rounded twice')
  add(23_704, '\u001b[31mERROR\u001b[0m payment refused: amounts differ {"basket": 37.20, "payment": 37.21}')
  add(23_705, '    at checkAmounts (payments/check-amounts.ts:41:11)')
  add(23_706, '    at createPayment (payments/create-payment.ts:88:5)')
  add(23_710, 'POST /checkout/payments 500 210 ms')
  return Buffer.from(`${lines.join('\n')}\n`)
}

/**
 * Attaches pictures, a video and a log to a result of the demo. Not in the transaction of the demo: a content that was written
 * for a transaction that fails would stay.
 * @throws {FileStoreError} when files cannot be stored: the demo is complete without them
 */
export async function attachDemoFiles(
  deps: Pick<Deps, 'db' | 'announcer' | 'fileStore' | 'fileLimitBytes'>,
  { place, testerId }: Pick<DemoEvidence, 'place' | 'testerId'>,
): Promise<void> {
  const store = await deps.fileStore.getForWriting()
  const pictures = ['checkout-expected.png', 'checkout-actual.png', 'payment.webm']
  const contents = await Promise.all(pictures.map(async (name) => ({ name, content: await readAsset(name) })))
  for (const { name, content } of [...contents, { name: 'server.log', content: writeLog() }]) {
    const received = await writeContent(deps, store, place.projectId, Readable.from([content]))
    try {
      await attachFile(deps, place, { received, body: {}, queryName: name, createdBy: testerId })
    } finally {
      if (!received.isKept) await discardContent(deps, received)
    }
  }
}
