#!/usr/bin/env node
import { run } from '../dist/bundle/main.js'

process.exitCode = await run(process.argv.slice(2), process)
