import type { ReportedTest } from './attempt.ts'
import type { IdPlace } from './test-case-ids.ts'

/** One project of a tool: those of the same tool can have the same ids. */
export interface AliasSource {
  readonly system: AliasSystem
  readonly source: string
}

/** An id that a test names, as it is looked up. */
export interface AliasCandidate {
  readonly system: AliasSystem
  /** Lower case; null for any source of the tool. */
  readonly source: string | null
  readonly lookup: string
}

/** Which form the ids of a tool have. */
type Form = 'testrail' | 'qase' | 'issue' | 'zephyr' | 'testomat' | 'number' | 'word'

const forms = {
  testrail: 'testrail',
  qase: 'qase',
  xray: 'issue',
  'zephyr-squad': 'issue',
  'zephyr-scale': 'zephyr',
  testlink: 'issue',
  testomat: 'testomat',
  azure: 'number',
  kiwi: 'number',
  practitest: 'number',
  allure: 'number',
  testmo: 'number',
  testplanit: 'word',
  qtest: 'word',
  squash: 'word',
  testcaselab: 'word',
  sheet: 'word',
} as const satisfies Readonly<Record<string, Form>>

/** A test management tool whose ids can go on finding test cases. */
export type AliasSystem = keyof typeof forms

/** Whole ids of each form; the first group is what they are looked up by. */
const wholeIds: Readonly<Record<Form, RegExp>> = {
  testrail: /^C?0*(\d{1,12})$/i,
  qase: /^(?:[A-Z][A-Z0-9]*-)?0*(\d{1,12})$/i,
  issue: /^([A-Z][A-Z0-9_]*[-_]\d{1,12})$/i,
  zephyr: /^([A-Z][A-Z0-9_]*[-_]T\d{1,12})$/i,
  testomat: /^@?(T\w{8})$/,
  number: /^#?0*(\d{1,12})$/,
  word: /^(\S{1,255})$/,
}

/** Returns what an id of a tool is looked up by; null if none of its ids looks like that. */
export function toAliasLookup(system: AliasSystem, key: string): string | null {
  const form = forms[system]
  const [, id] = wholeIds[form].exec(key.trim()) ?? []
  if (id === undefined) return null
  if (form === 'testrail') return `C${id}`
  return form === 'issue' || form === 'zephyr' ? id.toUpperCase().replaceAll('_', '-') : id
}

/** The longest text that is searched for ids, in UTF-16 units. */
const MAX_TEXT = 10_000
/** A test names at most this many ids of other tools in one place; more are not looked up. */
const MAX_CANDIDATES = 200

const testrailList = /\[\s*C\d{1,12}(?:\s*,\s*C?\d{1,12})*\s*\]/g
const oneId = /^\[C[1-9]\d*\]$/
const testrailId = /(?<![\p{L}\p{N}%])C\d{3,9}(?![\p{L}\p{N}])/giu
const qaseList = /\(Qase ID:?\s*(\d{1,12}(?:\s*,\s*\d{1,12})*)\)/gi
const qaseTag = /@qaseid(?:\.([A-Z][A-Z0-9]*))?\(\s*(\d{1,12}(?:\s*,\s*\d{1,12})*)\s*\)/gi
const issueKey = /(?<![\p{L}\p{N}])[A-Z][A-Z0-9]*[-_]\d{1,12}(?![\p{L}\p{N}])/gu
const zephyrKey = /(?<![\p{L}\p{N}])[A-Z][A-Z0-9]*[-_]T\d{1,12}(?![\p{L}\p{N}])/gu
const testomatId = /@(T\w{8})(?!\w)/g
const tmsMark = /@(?:TmsLink=|tms:)([^\s,;@()[\]]{1,255})/g
/** A word with a letter and a digit. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?/gu

/** Finds ids of other tools, for a project whose test cases have some. */
export interface AliasFinder {
  /** Ids in a text. */
  findInText(text: string): AliasCandidate[]
  /** Ids that a test names explicitly: `testrail:C17`, `tms:C17` for any tool, or `C17`. */
  findExplicit(ids: readonly string[]): AliasCandidate[]
}

/**
 * Creates a finder for the tools that a project has ids of: only their forms are looked for. Which carriers each tool has, and
 * which look alike and are none, was tried on real reports; `#123` and `[123]` are never ids.
 */
export function createAliasFinder(sources: readonly AliasSource[]): AliasFinder {
  const systems = [...new Set(sources.map(({ system }) => system))]
  const qaseCount = sources.filter(({ system }) => system === 'qase').length
  const inTexts = systems.map((system) => textSearches[forms[system]]?.(system)).filter((find) => find !== undefined)

  function addKey(add: Add, key: string, only?: AliasSystem): void {
    for (const system of systems) {
      const lookup = only === undefined || only === system ? toAliasLookup(system, key) : null
      if (lookup !== null) add({ system, source: getQaseSource(system, key), lookup })
    }
  }

  function collect(find: (add: Add) => void): AliasCandidate[] {
    const candidates: AliasCandidate[] = []
    find((candidate) => {
      // Without its code, the number of a Qase project means nothing if there are several.
      const isVague = candidate.system === 'qase' && qaseCount > 1 && candidate.source === null
      if (!isVague && candidates.length < MAX_CANDIDATES) candidates.push(candidate)
    })
    return candidates
  }

  return {
    findInText: (text) =>
      collect((add) => {
        const searched = text.slice(0, MAX_TEXT)
        for (const find of inTexts) find(searched, add)
        if (searched.includes('@')) for (const [, key = ''] of searched.matchAll(tmsMark)) addKey(add, key)
      }),
    findExplicit: (ids) =>
      collect((add) => {
        for (const id of ids.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '')) {
          const [, prefix = '', key = ''] = /^([a-z-]+):(.+)$/s.exec(id) ?? []
          if (prefix === 'tms') addKey(add, key)
          else if (isAliasSystem(prefix)) addKey(add, key, prefix)
          else if (!/^\d+$/.test(id)) addKey(add, id)
          // A bare number is an id of TestRail, whose tools write it so.
          else if (systems.includes('testrail')) addKey(add, id, 'testrail')
        }
      }),
  }
}

/** Whether ids of a tool can find test cases. */
export const isAliasSystem = (text: string): text is AliasSystem => Object.hasOwn(forms, text)

const getQaseSource = (system: AliasSystem, key: string): string | null =>
  system === 'qase' ? (/^([A-Z][A-Z0-9]*)-/i.exec(key)?.[1]?.toLowerCase() ?? null) : null

type Add = (candidate: AliasCandidate) => void

/** How each form is found in texts. Numbers are none without a word before them. */
const textSearches: Readonly<Partial<Record<Form, (system: AliasSystem) => (text: string, add: Add) => void>>> = {
  testrail: (system) => (text, add) => {
    if (!/C\d/i.test(text)) return
    const lists = text.match(testrailList)
    if (lists === null) addMatches(system, text.match(testrailId), add)
    for (const list of lists ?? []) {
      // Most name one test case, as `[C17]`: thousands of names should not take much longer with ids than without.
      if (oneId.test(list)) add({ system, source: null, lookup: list.slice(1, -1) })
      else addMatches(system, list.match(/\d+/g), add)
    }
  },
  qase: (system) => (text, add) => {
    if (!/qase/i.test(text)) return
    const addAll = (numbers: string, code: string | undefined) => {
      for (const [number] of numbers.matchAll(/\d+/g))
        add({ system, source: code?.toLowerCase() ?? null, lookup: toAliasLookup(system, number) ?? number })
    }
    for (const [, numbers = ''] of text.matchAll(qaseList)) addAll(numbers, undefined)
    for (const [, code, numbers = ''] of text.matchAll(qaseTag)) addAll(numbers, code)
  },
  issue: (system) => (text, add) => addMatches(system, text.match(issueKey), add),
  zephyr: (system) => (text, add) => addMatches(system, text.match(zephyrKey), add),
  testomat: (system) => (text, add) => {
    for (const [, id = ''] of text.matchAll(testomatId)) add({ system, source: null, lookup: id })
  },
  word: (system) => (text, add) => {
    for (const [id] of text.matchAll(word)) {
      if (id.length >= 4 && /\p{L}/u.test(id) && /\d/.test(id)) add({ system, source: null, lookup: id })
    }
  },
}

function addMatches(system: AliasSystem, ids: readonly string[] | null, add: Add): void {
  for (const id of ids ?? []) add({ system, source: null, lookup: toAliasLookup(system, id) ?? id })
}

/** The ids of other tools that a test names, by place in the order of their weight; places without any are missing. */
export function findAliases(
  { testCaseIds, tags, name, suite }: Pick<ReportedTest, 'testCaseIds' | 'tags' | 'name' | 'suite'>,
  finder: AliasFinder,
): Map<IdPlace, AliasCandidate[]> {
  const found = new Map<IdPlace, AliasCandidate[]>()
  const add = (place: IdPlace, candidates: AliasCandidate[]) => {
    if (candidates.length > 0) found.set(place, candidates)
  }
  if (testCaseIds.length > 0) add('property', finder.findExplicit(testCaseIds))
  if (tags.length > 0) add('tags', finder.findInText(tags.join(' ')))
  add('name', finder.findInText(name))
  add('suite', finder.findInText(suite))
  return found
}
