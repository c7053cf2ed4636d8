import { randomUUID } from 'node:crypto'

import type pg from 'pg'
import { SaxesParser } from 'saxes'

import type { Source } from './sources.ts'

/* What imports are compared with: a pass over the file, and single statements that write the same rows. */

interface BareCase {
  id: string
  title: string
  precondition: string
  steps: { position: number; action: string; expected: string }[]
}

const PIECE_CHARACTERS = 65_536

/** Passes over the file of TestRail with its texts, and nothing else. */
export function passOver({ content }: Source): BareCase[] {
  const cases: BareCase[] = []
  const parser = new SaxesParser()
  const steps: BareCase['steps'] = []
  let current: Record<string, string> = {}
  let text = ''
  parser.on('opentag', ({ name }) => {
    if (name === 'case') [current, steps.length] = [{}, 0]
    text = ''
  })
  parser.on('text', (piece) => (text += piece))
  parser.on('closetag', ({ name }) => {
    if (name === 'step')
      steps.push({
        position: steps.length + 1,
        action: current['content'] ?? '',
        expected: current['expected'] ?? '',
      })
    else if (name === 'case') {
      const { id = '', title = '', preconds: precondition = '' } = current
      cases.push({ id, title, precondition, steps: [...steps] })
    } else current[name] = text
    text = ''
  })
  const whole = content.toString()
  for (let start = 0; start < whole.length; start += PIECE_CHARACTERS) {
    parser.write(whole.slice(start, start + PIECE_CHARACTERS))
  }
  parser.close()
  return cases
}

/** Writes what was read as rows of an import, in one statement. */
export async function insertRead(client: pg.Client, cases: readonly BareCase[]): Promise<void> {
  await client.query('create table if not exists bare_records (like import_records including all)')
  await client.query(
    `insert into bare_records (project_id, import_id, seq, kind, key, title, record, read_losses)
     select $1, $1, seq, 'case', key, title, record, '{}'
     from unnest($2::int[], $3::text[], $4::text[], $5::json[]) as i (seq, key, title, record)`,
    [
      randomUUID(),
      cases.map((_, index) => index + 1),
      cases.map(({ id }) => id),
      cases.map(({ title }) => title),
      cases.map((each) => JSON.stringify(each)),
    ],
  )
}

/** Writes the same test cases into an empty project, in one statement. */
export async function insertCases(client: pg.Client, projectId: string, cases: readonly BareCase[]): Promise<void> {
  await client.query(
    `insert into test_cases (project_id, number, title, precondition, steps)
     select $1, number, title, precondition, steps
     from unnest($2::int[], $3::text[], $4::text[], $5::json[]) as i (number, title, precondition, steps)`,
    [
      projectId,
      cases.map((_, index) => index + 1),
      cases.map(({ title }) => title),
      cases.map(({ precondition }) => precondition),
      cases.map(({ steps }) => JSON.stringify(steps)),
    ],
  )
}
