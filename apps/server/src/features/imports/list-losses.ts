import { describeLoss } from '@caseward/importers/describe-loss'

import type { Database } from '../../platform/database/connect.ts'
import { countLosses } from './import-records.queries.ts'
import type { ImportPlanning, ImportReading } from './import-summary.ts'
import type { ClaimedImport } from './imports.queries.ts'

const EXAMPLES_PER_LOSS = 5

/** What got lost while the file was read, and what its records lose when they are stored. */
export async function listLosses(
  db: Database,
  claim: ClaimedImport,
  reading: ImportReading,
): Promise<ImportPlanning['losses']> {
  const planned = await countLosses(db, claim, EXAMPLES_PER_LOSS)
  const all = [...planned.map((loss) => ({ ...loss, sentence: describeLoss(loss.code) })), ...reading.losses]
  const byCode = new Map<string, ImportPlanning['losses'][number]>()
  for (const loss of all) {
    const known = byCode.get(loss.code)
    byCode.set(
      loss.code,
      known === undefined
        ? loss
        : {
            ...known,
            count: known.count + loss.count,
            examples: [...known.examples, ...loss.examples].slice(0, EXAMPLES_PER_LOSS),
          },
    )
  }
  return [...byCode.values()].map((loss) => ({ ...loss, examples: loss.examples.map(shorten) }))
}

const shorten = ({ key, title, place }: { key: string | null; title: string; place: string }) => ({
  key: key?.slice(0, 200) ?? null,
  title: title.slice(0, 200),
  place: place.slice(0, 200),
})
