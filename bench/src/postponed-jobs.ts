import type pg from 'pg'

/**
 * The jobs of a service are put off for a day: evaluations of uploads, which begin after two seconds, would take a processor from
 * what is measured next. A lock that they wait for would not do: their transactions would keep PostgreSQL from clearing old
 * versions of rows.
 */
const POSTPONE = `
  create function postpone_job() returns trigger language plpgsql as $$
  begin
    new.run_at = new.run_at + interval '1 day';
    return new;
  end $$;
  create trigger postpone_job before insert or update on graphile_worker._private_jobs
    for each row when (new.locked_at is null) execute function postpone_job()`

/** From then on, no new job of the service begins. */
export async function postponeJobs(client: pg.Client): Promise<void> {
  await client.query(POSTPONE)
}

/** Runs work while no new job of the service begins. What would have been a job of this time is forgotten. */
export async function withoutJobs<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await postponeJobs(client)
  try {
    return await work()
  } finally {
    await client.query('drop function postpone_job cascade')
    await client.query(`delete from graphile_worker._private_jobs where run_at > now() + interval '12 hours'`)
  }
}
