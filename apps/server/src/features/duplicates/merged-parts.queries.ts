import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew, planForParameters, planGenerically } from '../../platform/database/plans.ts'
import type { LinkSource } from '../tests/known-tests.queries.ts'

/*
 * What belongs to a test case and comes to another one when it is merged. The caller holds the locks on the project and on the
 * test cases, without which nothing of this is added or removed.
 */

/** What a merge takes from one test case, by which it can be given back. */
export interface MovedParts {
  number: number
  wasArchived: boolean
  /** Automation keys, as they were written. */
  keys: string[]
  links: string[]
  /** Ids, with the steps where the files were. */
  attachments: [id: string, step: number | null][]
  comments: string[]
  tests: [id: string, source: LinkSource][]
  /** Those that the target was linked to already. */
  sharedTests: [id: string, source: LinkSource][]
  /** Test cases that had been merged into this one. */
  mergedEarlier: number[]
}

interface PartRow {
  number: number
  ids: string[]
}

/** Reads what comes from test cases to the target. */
export async function selectParts(
  tx: Database,
  projectId: string,
  target: number,
  numbers: readonly number[],
): Promise<Omit<MovedParts, 'wasArchived' | 'keys'>[]> {
  await planForParameters(tx)
  const inProject = sql`project_id = ${projectId} and case_number = any(${numbers}::int[])`
  const { rows: links } = await sql<PartRow>`
    select l.case_number as number, array_agg(l.id order by l.id) as ids from (
      select distinct on (url_digest) case_number, id from links
      where ${inProject} and not exists (
        select from links o
        where o.project_id = ${projectId} and o.case_number = ${target} and o.url_digest = links.url_digest
      )
      order by url_digest, id
    ) l group by l.case_number`.execute(tx)
  const { rows: comments } = await sql<PartRow>`
    select case_number as number, array_agg(id order by id) as ids from comments
    where ${inProject} group by case_number`.execute(tx)
  const { rows: attachments } = await sql<{ number: number; id: string; step: number | null }>`
    select case_number as number, id, step from case_attachments where ${inProject} order by id`.execute(tx)
  const { rows: tests } = await sql<{ number: number; id: string; source: LinkSource }>`
    select case_number as number, test_id as id, source from test_links
    where ${inProject} order by test_id, case_number`.execute(tx)
  const { rows: ofTarget } = await sql<{ id: string }>`
    select test_id as id from test_links where project_id = ${projectId} and case_number = ${target}`.execute(tx)
  const { rows: earlier } = await sql<{ number: number; into: number }>`
    select number, merged_into as into from test_cases
    where project_id = ${projectId} and merged_into = any(${numbers}::int[]) order by number`.execute(tx)
  await planGenerically(tx)
  const seen = new Set(ofTarget.map(({ id }) => id))
  const isShared = tests.map(({ id }) => {
    if (seen.has(id)) return true
    seen.add(id)
    return false
  })
  const pickTests = (number: number, shared: boolean) =>
    tests
      .filter((test, index) => test.number === number && isShared[index] === shared)
      .map(({ id, source }): [string, LinkSource] => [id, source])
  return numbers.map((number) => ({
    number,
    links: links.find((row) => row.number === number)?.ids ?? [],
    comments: comments.find((row) => row.number === number)?.ids ?? [],
    attachments: attachments
      .filter((row) => row.number === number)
      .map(({ id, step }): [string, number | null] => [id, step]),
    tests: pickTests(number, false),
    sharedTests: pickTests(number, true),
    mergedEarlier: earlier.filter(({ into }) => into === number).map((row) => row.number),
  }))
}

/** Counts what a target has, without what comes to it. */
export async function countParts(
  tx: Database,
  projectId: string,
  number: number,
): Promise<{ links: number; attachments: number; comments: number }> {
  const ofCase = sql`project_id = ${projectId} and case_number = ${number}`
  const { rows } = await sql<{ links: number; attachments: number; comments: number }>`
    select (select count(*)::int from links where ${ofCase}) as links,
      (select count(*)::int from case_attachments where ${ofCase}) as attachments,
      (select count(*)::int from comments where ${ofCase}) as comments`.execute(tx)
  return rows[0] ?? { links: 0, attachments: 0, comments: 0 }
}

/** Moves what was read to the target. A file at a step comes to the whole test case. */
export async function moveParts(
  tx: Database,
  projectId: string,
  target: number,
  moved: readonly MovedParts[],
): Promise<void> {
  const links = moved.flatMap((parts) => parts.links)
  if (links.length > 0) {
    await sql`
      update links set case_number = ${target}
      where project_id = ${projectId} and id = any(${links}::uuid[])`.execute(tx)
  }
  const attachments = moved.flatMap((parts) => parts.attachments.map(([id]) => id))
  if (attachments.length > 0) {
    await sql`
      update case_attachments set case_number = ${target}, step = null
      where project_id = ${projectId} and id = any(${attachments}::uuid[])`.execute(tx)
  }
  const comments = moved.flatMap((parts) => parts.comments.map((id) => ({ id, number: target })))
  await moveComments(tx, projectId, comments)
  const numbers = moved.map(({ number }) => number)
  const shared = moved.flatMap(({ number, sharedTests }) => sharedTests.map(([id]) => ({ id, number })))
  if (shared.length > 0) {
    await sql`
      delete from test_links l
      using unnest(${shared.map(({ id }) => id)}::uuid[], ${shared.map(({ number }) => number)}::int[]) as item (id, number)
      where l.project_id = ${projectId} and l.test_id = item.id and l.case_number = item.number`.execute(tx)
  }
  await sql`
    update test_links set case_number = ${target}
    where project_id = ${projectId} and case_number = any(${numbers}::int[])`.execute(tx)
  await sql`
    update automation_keys set case_number = ${target}
    where project_id = ${projectId} and case_number = any(${numbers}::int[])`.execute(tx)
}

/** Moves comments, and their mentions, which are on the coordinator and say where the comments are. */
async function moveComments(
  tx: Database,
  projectId: string,
  comments: readonly { id: string; number: number }[],
): Promise<void> {
  if (comments.length === 0) return
  const item = sql`unnest(${comments.map(({ id }) => id)}::uuid[], ${comments.map(({ number }) => number)}::int[])
    as item (id, number)`
  await sql`
    update comments o set case_number = item.number from ${item}
    where o.project_id = ${projectId} and o.run_id is null and o.id = item.id`.execute(tx)
  await sql`
    update mentions m set case_number = item.number from ${item}
    where m.project_id = ${projectId} and m.run_id is null and m.comment_id = item.id`.execute(tx)
}

/** Gives back to test cases what is still at the target. What they have got meanwhile stays. */
export async function giveBackParts(
  tx: Database,
  projectId: string,
  target: number,
  moved: readonly MovedParts[],
): Promise<void> {
  const collect = <T>(pick: (parts: MovedParts) => readonly T[]) =>
    moved.flatMap((parts) => pick(parts).map((part) => ({ number: parts.number, part })))
  const numbersOf = (items: readonly { number: number }[]) => items.map(({ number }) => number)
  const links = collect((parts) => parts.links)
  if (links.length > 0) {
    await sql`
      update links l set case_number = item.number
      from unnest(${links.map(({ part }) => part)}::uuid[], ${numbersOf(links)}::int[]) as item (id, number)
      where l.project_id = ${projectId} and l.case_number = ${target} and l.id = item.id and not exists (
        select from links o
        where o.project_id = ${projectId} and o.case_number = item.number and o.url_digest = l.url_digest
      )`.execute(tx)
  }
  const attachments = collect((parts) => parts.attachments)
  if (attachments.length > 0) {
    const steps = attachments.map(({ part: [, step] }) => step)
    await sql`
      update case_attachments a set case_number = item.number, step = item.step
      from unnest(${attachments.map(({ part: [id] }) => id)}::uuid[], ${numbersOf(attachments)}::int[], ${steps}::int[])
        as item (id, number, step)
      where a.project_id = ${projectId} and a.case_number = ${target} and a.id = item.id`.execute(tx)
  }
  await moveComments(
    tx,
    projectId,
    collect((parts) => parts.comments).map(({ number, part }) => ({ id: part, number })),
  )
  await giveBackTests(tx, projectId, target, moved)
  const earlier = collect((parts) => parts.mergedEarlier)
  if (earlier.length === 0) return
  await sql`
    update test_cases c set merged_into = item.number
    from unnest(${earlier.map(({ part }) => part)}::int[], ${numbersOf(earlier)}::int[]) as item (earlier, number)
    where c.project_id = ${projectId} and c.merged_into = ${target} and c.number = item.earlier`.execute(tx)
}

/** Links that a test case has got meanwhile stay, and a test that the target has lost meanwhile is not given back. */
async function giveBackTests(
  tx: Database,
  projectId: string,
  target: number,
  moved: readonly MovedParts[],
): Promise<void> {
  const given = moved.flatMap(({ number, tests, sharedTests }) =>
    [...tests, ...sharedTests].map(([id, source]) => ({ id, source, number })),
  )
  if (given.length === 0) return
  await planChecksAnew(tx, given.length)
  await sql`
    insert into test_links (project_id, test_id, case_number, source)
    select ${projectId}::uuid, item.id, item.number, item.source
    from unnest(
      ${given.map(({ id }) => id)}::uuid[], ${given.map(({ number }) => number)}::int[],
      ${given.map(({ source }) => source)}::link_source[]
    ) as item (id, number, source)
    where item.id in (select test_id from test_links where project_id = ${projectId} and case_number = ${target})
    on conflict do nothing`.execute(tx)
  await sql`
    delete from test_links
    where project_id = ${projectId} and case_number = ${target}
      and test_id = any(${moved.flatMap(({ tests }) => tests.map(([id]) => id))}::uuid[])`.execute(tx)
}

/** The test cases that automation keys find, by digest. */
export async function selectKeyDigests(tx: Database, projectId: string, numbers: readonly number[]) {
  const { rows } = await sql<{ digest: string; number: number }>`
    select key_digest as digest, case_number as number from automation_keys
    where project_id = ${projectId} and case_number = any(${numbers}::int[])`.execute(tx)
  return new Map(rows.map(({ digest, number }) => [digest, number]))
}

export async function giveBackKeys(
  tx: Database,
  projectId: string,
  keys: readonly { digest: string; number: number }[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update automation_keys k set case_number = item.number
    from unnest(${keys.map(({ digest }) => digest)}::uuid[], ${keys.map(({ number }) => number)}::int[]) as item (digest, number)
    where k.project_id = ${projectId} and k.key_digest = item.digest`.execute(tx)
}
