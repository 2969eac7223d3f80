#!/usr/bin/env node
'use strict'

// Runs from source: Node takes the types out by itself. Commands are found on disk, not in the manifest.
const path = require('node:path')

import('../src/cli/framework/main.ts').then((cli) =>
  cli.main(process.argv.slice(2), { root: path.join(__dirname, '..'), fromSource: true }),
)
