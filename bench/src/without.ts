import { register } from 'node:module'

/*
 * Loaded into a service before its own code (`node --import`): it lacks a part, which `BENCH_WITHOUT` names, and is otherwise the
 * same. See `without-hooks.ts` for the parts.
 */
register(new URL('without-hooks.js', import.meta.url), { data: process.env['BENCH_WITHOUT'] })
