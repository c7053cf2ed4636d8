import { sql } from 'kysely'

import { generateSecret, hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** How long an email can remove a new factor. Later, a mailbox that somebody else reads must not remove it. */
const HOURS = 24

const expiresAt = sql<Date>`factor.activated_at + make_interval(hours => ${sql.lit(HOURS)})`

export interface FactorLink {
  name: string
  secret: string
  expiresAt: Date
}

/** Creates a link for each factor that a user has added in the last day. */
export async function createSecondFactorLinks(db: Database, userId: string): Promise<FactorLink[]> {
  const factors = await db
    .selectFrom('second_factors as factor')
    .select(['factor.id', 'factor.name', expiresAt.as('expiresAt')])
    .where('factor.user_id', '=', userId)
    .where(expiresAt, '>', sql<Date>`now()`)
    .orderBy('factor.id')
    .execute()
  const links = factors.map((factor) => ({ ...factor, secret: generateSecret() }))
  // A factor that was removed since has no row.
  await sql`
    insert into second_factor_links (secret_hash, factor_id)
    select link.secret_hash, link.factor_id
    from unnest(
      ${links.map(({ secret }) => hashSecret(secret))}::bytea[], ${links.map(({ id }) => id)}::uuid[]
    ) as link (secret_hash, factor_id)
    join second_factors on second_factors.id = link.factor_id
    for key share of second_factors`.execute(db)
  return links
}

export type LinkedFactor = NonNullable<Awaited<ReturnType<typeof findLinkedFactor>>>

/** Finds the factor of a valid link, with its user. */
export async function findLinkedFactor(db: Database, secret: string) {
  return await db
    .selectFrom('second_factor_links as link')
    .innerJoin('second_factors as factor', 'factor.id', 'link.factor_id')
    .innerJoin('users', 'users.id', 'factor.user_id')
    .select(['factor.id', 'factor.kind', 'factor.name', 'factor.user_id', 'users.email', 'users.disabled_at'])
    .select(
      // An account that was protected before must not lose its last factor to whoever reads the mailbox.
      sql<boolean>`factor.is_first or exists (
        select from second_factors other
        where other.user_id = factor.user_id and other.id <> factor.id and other.activated_at is not null
      )`.as('isRemovable'),
    )
    .where('link.secret_hash', '=', hashSecret(secret))
    .where(expiresAt, '>', sql<Date>`now()`)
    .executeTakeFirst()
}
