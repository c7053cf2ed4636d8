import { isRaw } from './formats/caseward/read-values.ts'
import type { System } from './formats/format.ts'
import { isMeaningless } from './formats/meaningless-values.ts'
import { readAnswers } from './formats/read-answers.test.helper.ts'
import { prepareCase } from './prepare-case.ts'

const WORD = 'Zaphod42'

interface Line {
  readonly list: string
  readonly of: string
  readonly item: unknown
}

/** Lines of a list, what it is of, and an object. */
const parse = (sample: string): Line[] =>
  sample
    .trim()
    .split('\n')
    .map((line) => {
      const [, list = '', of = '', json = ''] = /^(\w+)\|(.*?)\|(.*)$/.exec(line) ?? []
      return { list, of, item: JSON.parse(json) as unknown }
    })

/** All values of an object, each with its path, and the object with another value in its place. */
function* change(value: unknown, path: string, word: string | null): Generator<{ path: string; changed: unknown }> {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      for (const each of change(inner, path, word))
        yield { ...each, changed: value.with(index, each.changed) as unknown }
    }
  } else if (isRaw(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const below = /^\d+$/.test(name) ? path : `${path}.${name}`
      for (const each of change(inner, below, word)) yield { ...each, changed: { ...value, [name]: each.changed } }
    }
  } else yield { path, changed: word }
}

async function read(system: string, lines: readonly Line[]): Promise<{ records: string; losses: string }> {
  const lists: Record<string, Line[]> = {}
  for (const line of lines) (lists[line.list] ??= []).push(line)
  const { records, counted } = await readAnswers(system, lists)
  const prepared = records.map((record) => (record.kind === 'case' ? prepareCase(record) : record))
  const losses = counted.map(({ code, count, examples }) => [code, count, examples.map(({ place }) => place ?? '')])
  return { records: JSON.stringify(prepared), losses: JSON.stringify(losses) }
}

/** Whether a value, or something that it is in, is said to mean nothing. */
const isIn = (system: System, path: string): boolean =>
  path.split('.').some((name, index, names) => isMeaningless(system, names.slice(0, index + 1).join('.'), name))

export interface AnswerEnds {
  /** Paths of values that come out as they are. */
  readonly kept: string[]
  /** Of those that change what comes out, such as ids of what is named. */
  readonly used: string[]
  /** Of those that are counted. */
  readonly counted: string[]
  /** Of those that mean nothing to people. */
  readonly meaningless: string[]
  /** Of those without an end. */
  readonly none: string[]
}

/** Writes a word into one value of each answer after another, and finds what becomes of it. */
export async function listAnswerEnds(system: string, sample: string): Promise<AnswerEnds> {
  const lines = parse(sample)
  const base = await read(system, lines)
  const ends = new Map<string, keyof AnswerEnds>()
  const order = ['none', 'meaningless', 'counted', 'used', 'kept'] as const
  const tell = async (index: number, item: unknown) =>
    read(system, lines.with(index, { ...lines[index], item } as Line))
  for (const [index, line] of lines.entries()) {
    const without = [...change(line.item, line.list, null)]
    for (const [place, { path, changed }] of [...change(line.item, line.list, WORD)].entries()) {
      const after = await tell(index, changed)
      let end: keyof AnswerEnds = after.records.includes(WORD)
        ? 'kept'
        : after.records !== base.records
          ? 'used'
          : 'none'
      if (end === 'none') {
        const losses = [base.losses, (await tell(index, without[place]?.changed)).losses, after.losses]
        if (new Set(losses).size > 1) end = 'counted'
        else if (isIn(system as System, path)) end = 'meaningless'
      }
      if (order.indexOf(end) >= order.indexOf(ends.get(path) ?? 'none')) ends.set(path, end)
    }
  }
  const list = (wanted: keyof AnswerEnds) => [...ends].filter(([, end]) => end === wanted).map(([path]) => path)
  return {
    kept: list('kept'),
    used: list('used'),
    counted: list('counted'),
    meaningless: list('meaningless'),
    none: list('none'),
  }
}
