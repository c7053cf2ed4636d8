import { register } from 'node:module'

// Loaded into a service before its own code (`node --import`): it keeps no versions of test cases, and is otherwise the same.
register(new URL('without-versions-hooks.js', import.meta.url))
