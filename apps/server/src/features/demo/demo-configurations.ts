import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { saveConfiguration } from '../configurations/configurations.queries.ts'
import type { ManualResult } from './demo-results.ts'

/** Name, and variants of automated tests, by group. */
const GROUPS = {
  Browser: { Chrome: ['chromium', 'chrome*'], Firefox: ['firefox'], Safari: ['webkit', 'safari*'] },
  System: { Windows: ['windows*'], macOS: ['macos*'] },
} as const

/** The configurations of a run that is tested in all browsers. */
export const BROWSERS = { browser: Object.keys(GROUPS.Browser).map((name) => name.toLowerCase()) }

/** Adds what test cases can be tested with. */
export async function addConfigurations(db: Database, projectId: string): Promise<void> {
  for (const [groupName, configurations] of Object.entries(GROUPS)) {
    for (const [index, [name, variants]] of Object.entries<readonly string[]>(configurations).entries()) {
      await saveConfiguration(db, projectId, {
        id: uuidv7(),
        group_key: groupName.toLowerCase(),
        group_name: groupName,
        key: name.toLowerCase(),
        name,
        variants: [...variants],
        position: index + 1,
        retired_at: null,
      })
    }
  }
}

type Write = ManualResult & { caseNumber: number }

/** What a tester found in the first browser, and nearly always in the others; some are not tested yet. */
export function testInBrowsers(write: Write, random: () => number): (Write & { place: number })[] {
  const other = { ...write, steps: [], defect: null }
  return [
    { ...write, place: 1 },
    ...[2, 3].flatMap((place) => {
      const chance = random()
      if (chance > 0.85) return []
      return chance < 0.1
        ? [{ ...other, place, status: 'failed' as const, note: 'The focus is not visible in this browser.' }]
        : [{ ...other, place }]
    }),
  ]
}
