#!/usr/bin/env node
'use strict'

// Written so that any Node can parse it: an older one must get a sentence, not a syntax error. Nothing is loaded before the check.
var needed = [22, 12]
var version = process.versions.node.split('.').map(Number)

if (version[0] < needed[0] || (version[0] === needed[0] && version[1] < needed[1])) {
  if (!startOnOwnNode()) refuse()
} else {
  start()
}

function refuse() {
  process.stderr.write(
    'countroom needs Node ' +
      needed.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '. (' +
      process.execPath +
      ')\n',
  )
  process.exitCode = 78
}

// A clone has a Node of its own among its dev dependencies. If it exists, it does the work: this process forwards
// signals to it, and exits with its code. Returns whether it exists.
function startOnOwnNode() {
  var child = ownNode()
  if (!child) return false
  var signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  signals.forEach((signal) => {
    process.on(signal, () => {
      // A terminal sends these to both; only what was sent to this process alone is passed on.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
    })
  })
  child.on('error', refuse)
  child.on('exit', (code, signal) => {
    signals.forEach((each) => {
      process.removeAllListeners(each)
    })
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code
  })
  return true
}

// Returns the process of the project's own Node, or undefined if there is none.
function ownNode() {
  if (process.env.COUNTROOM_OWN_NODE) return undefined
  try {
    return spawnBeside('../node_modules/node/bin/node')
  } catch (_error) {
    // A Node before 12.20 knows no "node:" names.
    return undefined
  }
}

function spawnBeside(path) {
  var node = require('node:path').join(__dirname, path)
  if (!require('node:fs').existsSync(node)) return undefined
  var env = Object.assign({}, process.env, { COUNTROOM_OWN_NODE: '1' })
  var args = [__filename].concat(process.argv.slice(2))
  return require('node:child_process').spawn(node, args, { env: env, stdio: 'inherit' })
}

function start() {
  var path = require('node:path')
  keepCompiledCode(path)
  import('../dist/src/cli/framework/main.js').then(
    (cli) => cli.main(process.argv.slice(2), { root: path.join(__dirname, '..') }),
    (error) => {
      var unbuilt =
        error &&
        error.code === 'ERR_MODULE_NOT_FOUND' &&
        !require('node:fs').existsSync(path.join(__dirname, '../dist'))
      process.stderr.write(
        unbuilt ? 'countroom is not built yet: npm run build\n' : `countroom cannot start: ${error.message}\n`,
      )
      process.exitCode = 1
    },
  )
}

// Compiled code is kept in the user's own cache folder. Node's default is in the shared temporary folder, where another
// user could have put code in its place.
function keepCompiledCode(path) {
  var module = require('node:module')
  var base = process.env.XDG_CACHE_HOME
  if (!base || !path.isAbsolute(base)) base = process.env.HOME && path.join(process.env.HOME, '.cache')
  if (!base || !path.isAbsolute(base)) return
  var folder = path.join(base, 'countroom', 'compiled')
  if (madeFolder(path, folder)) module.enableCompileCache(folder)
}

// Creates the folder here. Node would create it itself, and would retry forever on a file system that reports every
// name as a missing folder, as /proc does.
function madeFolder(path, folder) {
  var fs = require('node:fs')
  var above = path.dirname(folder)
  try {
    fs.mkdirSync(folder)
    return true
  } catch (error) {
    if (isFolder(fs, folder)) return true
    if (error.code !== 'ENOENT' || above === folder || isFolder(fs, above)) return false
    if (!madeFolder(path, above)) return false
  }
  try {
    fs.mkdirSync(folder)
    return true
  } catch (_error) {
    return isFolder(fs, folder)
  }
}

function isFolder(fs, folder) {
  try {
    return fs.statSync(folder).isDirectory()
  } catch (_error) {
    return false
  }
}
