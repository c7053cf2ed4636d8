#!/usr/bin/env node
// npx runs the package of the same name: this one makes `npx caseward` work.
await import('@caseward/cli/bin/caseward.js')
