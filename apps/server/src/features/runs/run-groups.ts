import { sql } from 'kysely'

/*
 * The runs of a project are numbered, and consecutive runs form a group. The index that finds the result of a test case
 * in a run starts with the group: creating a run writes to the index pages of its group, however many runs there are.
 * The results of one test case in all runs are found by looking into each group.
 */

/** Never changes, because the groups of existing runs are stored. Migration 0021 says what was measured. */
const RUNS_PER_GROUP = 16

/** The group of the run with this number in its project. Numbers start with 1. */
export const getRunGroup = (runNumber: number): number => Math.floor(runNumber / RUNS_PER_GROUP)

/** The group of the newest run of a row of `projects`. */
export const NEWEST_RUN_GROUP = `last_run_number / ${RUNS_PER_GROUP}`

/** All groups of a row of `projects`, one per row, for statements that are plain text. */
export const RUN_GROUPS = `generate_series(0, ${NEWEST_RUN_GROUP})`

/** All groups of a row of `projects`, one per row. */
export const runGroups = sql.raw<number>(RUN_GROUPS)

/** The last 1,000 runs are in this many groups. */
export const RECENT_RUN_GROUPS = Math.ceil(1000 / RUNS_PER_GROUP) + 1
