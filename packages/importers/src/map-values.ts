/*
 * What the priorities, types and statuses of other tools mean. Words are compared without case; others are asked for.
 */

type Priority = 'critical' | 'high' | 'medium' | 'low'

const PRIORITIES: readonly (readonly [Priority, string])[] = [
  ['critical', 'critical|blocker|highest|urgent|immediate|very_high|very high|p0|must|must test'],
  ['high', 'high|major|important|p1|高'],
  ['medium', 'medium|normal|default|undefined|not set|none|p2|中|moderate|average'],
  ['low', 'low|minor|trivial|lowest|very low|p3|p4|p5|低'],
]
const PRIORITY_OF_WORD = new Map(
  PRIORITIES.flatMap(([priority, words]) => words.split('|').map((word) => [word, priority] as const)),
)
/** Tools that say priorities as numbers from 1, the highest. */
const NUMBERED = new Map<string, Priority>([
  ['1', 'critical'],
  ['2', 'high'],
  ['3', 'medium'],
  ['4', 'low'],
  ['5', 'low'],
])
/** TestLink's importance. */
const IMPORTANCE = new Map<string, Priority>([
  ['1', 'low'],
  ['2', 'medium'],
  ['3', 'high'],
])

/** `1 - Must` is `must`, `P1 - High` is `p1`, else `high`. */
const toWords = (text: string): string[] => {
  const clean = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  return [clean, ...clean.split(/\s*[-–:()/]\s*/).filter((part) => part !== '')]
}

/** Returns what a priority of a tool means; null if its word is not known. */
export function mapPriority(system: string, text: string): Priority | null {
  if (text.trim() === '') return 'medium'
  for (const word of toWords(text)) {
    const priority = PRIORITY_OF_WORD.get(word)
    if (priority !== undefined) return priority
    const numbered = system === 'testlink' ? IMPORTANCE.get(word) : NUMBERED.get(word)
    if (numbered !== undefined) return numbered
  }
  return null
}

const TYPES = new Map(
  [
    ['functional', 'functional|function|functionality|positive|negative|manual|automated|ui|gui|system'],
    ['smoke', 'smoke|sanity|smoke & sanity'],
    ['acceptance', 'acceptance|uat|user acceptance'],
    ['performance', 'performance|load|stress'],
    ['security', 'security|penetration'],
    ['usability', 'usability|ux'],
    ['accessibility', 'accessibility|a11y'],
    ['compatibility', 'compatibility'],
    ['integration', 'integration'],
    ['regression', 'regression'],
    ['exploratory', 'exploratory'],
    ['unit', 'unit'],
    ['api', 'api'],
    ['end_to_end', 'end to end|end-to-end|e2e'],
    ['other', 'other'],
  ].flatMap(([type = '', words = '']) => words.split('|').map((word) => [word, type] as const)),
)

/** Returns what a type of a tool means; null if its word is not known. */
export function mapType(text: string): string | null {
  // `end_to_end` is how Caseward itself writes it.
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\s*(?:tests?|testing)$/, '')
    .trim()
  return word === '' ? 'functional' : (TYPES.get(word) ?? null)
}

const STATUSES = new Map(
  [
    ['passed', 'passed|pass|ok|p|waived|success|successful'],
    ['failed', 'failed|fail|f|error|failure'],
    ['blocked', 'blocked|b|aborted|timeout|inconclusive'],
    ['retest', 'retest|in progress|executing|running|paused'],
    [
      'not_tested',
      'untested|not tested|not executed|unexecuted|todo|to do|n|not run|no run|idle|skipped|not applicable|n/a|invalid|unspecified',
    ],
  ].flatMap(([status = '', words = '']) => words.split('|').map((word) => [word, status] as const)),
)

/** Returns what a status of a result means; null if its word is not known. */
export function mapStatus(text: string): string | null {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
  return word === '' ? 'not_tested' : (STATUSES.get(word) ?? null)
}

/** Whether a state means that a test case is no longer in use. */
export const isDeprecated = (state: string): boolean =>
  /^(?:deprecated|obsolete|retired|archived|outdated)$/i.test(state.trim())
