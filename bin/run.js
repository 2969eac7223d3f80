#!/usr/bin/env node
'use strict'

// Written so that any Node can parse it: an older one must get a sentence, not a syntax error. Nothing is loaded before the check.
var needed = [22, 12]
var version = process.versions.node.split('.').map(Number)

if (version[0] < needed[0] || (version[0] === needed[0] && version[1] < needed[1])) {
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
} else {
  start()
}

function start() {
  var path = require('node:path')
  keepCompiledCode(path)
  import('../dist/src/cli/main.js').then(
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

// Compiled code is kept in the user's own cache folder. Node's default lies in the shared temporary folder, where somebody
// else could have put code in its place.
function keepCompiledCode(path) {
  var module = require('node:module')
  var base = process.env.XDG_CACHE_HOME
  if (!base || !path.isAbsolute(base)) base = process.env.HOME && path.join(process.env.HOME, '.cache')
  if (!base || !path.isAbsolute(base)) return
  var folder = path.join(base, 'countroom', 'compiled')
  if (madeFolder(path, folder)) module.enableCompileCache(folder)
}

// Whether the folder is there, made where it was not. Node would make it by itself, and in a file system that says of every
// name that there is no such folder, as /proc does, it tries for ever.
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
