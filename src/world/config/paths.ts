import { homedir } from 'node:os'
import { isAbsolute, join, parse } from 'node:path'
import type { Environment } from './config.ts'

/** The four folders. Deleting the cache loses nothing, and the configuration is portable. */
export interface Paths {
  readonly config: string
  readonly state: string
  readonly cache: string
  readonly data: string
}

/**
 * Returns the user's folders by the XDG rules; on Windows its own two folders. A relative path in a variable is ignored,
 * as the rules require.
 */
export function pathsOf(env: Environment): Paths {
  const home = env['COUNTROOM_HOME']
  if (home && isAbsolute(home)) {
    const [config, state, cache, data] = ['config', 'state', 'cache', 'data'].map((name) => join(home, name))
    return { config, state, cache, data } as Paths
  }
  const windows = process.platform === 'win32'
  const folder = (variable: string, ...segments: string[]) => {
    const set = env[variable]
    if (set && isAbsolute(set)) return join(set, 'countroom')
    const local = windows ? env[variable === 'XDG_CONFIG_HOME' ? 'APPDATA' : 'LOCALAPPDATA'] : undefined
    return local ? join(local, 'countroom', segments.at(-1) ?? '') : join(homeOf(env), ...segments, 'countroom')
  }
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    state: folder('XDG_STATE_HOME', '.local', 'state'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
    data: folder('XDG_DATA_HOME', '.local', 'share'),
  }
}

/**
 * Returns the home folder. Without one, a folder that does not exist: reading finds nothing there, writing fails with
 * the reason.
 */
function homeOf(env: Environment): string {
  if (env['HOME'] && isAbsolute(env['HOME'])) return env['HOME']
  try {
    return homedir()
  } catch {
    return join(parse(process.cwd()).root, 'nonexistent')
  }
}
