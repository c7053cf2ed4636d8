/** What an import may contain. More is refused with a sentence, before it costs memory or time. */
export const LIMITS = {
  fileBytes: 200 * 2 ** 20,
  unpackedBytes: 2 ** 30,
  /** How many times larger than the archive its content may be. */
  unpackedRatio: 100,
  /** An archive may be this large without regard to the ratio: a short text of blanks packs well. */
  unpackedFreely: 10 * 2 ** 20,
  zipEntries: 50_000,
  sheets: 200,
  rows: 1_048_576,
  columns: 500,
  /** UTF-16 units of a text before its conversion. */
  field: 2 ** 20,
  sharedStringBytes: 2 ** 28,
  cases: 100_000,
  folders: 20_000,
  milestones: 10_000,
  people: 10_000,
  runs: 20_000,
  results: 2_000_000,
  tests: 200_000,
  testOutcomes: 2_000_000,
  suiteErrors: 200_000,
  quarantines: 100_000,
  leftOut: 200_000,
} as const
