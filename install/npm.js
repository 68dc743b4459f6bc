import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'

/** What the `npm` around us was asked for: none of it holds for an installation of ours. */
const asked =
  /^npm_config_(omit|include|only|production|workspaces?|include_workspace_root|ignore_scripts|dry_run|global)$/i

/**
 * Installs what a lock file pins, and runs no script of a package.
 * @param {string} folder with package.json and package-lock.json
 * @param {readonly string[]} args
 * @returns {boolean} whether all is there
 */
export function install(folder, ...args) {
  const { npm_execpath: own = '' } = process.env
  // The npm that runs us: a bare machine may have no other in its path.
  const isNpm = basename(own) === 'npm-cli.js'
  const [program, first] = isNpm ? [process.execPath, [own]] : ['npm', []]
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--silent']
  // Without a network nobody waits for a minute.
  const network = [
    '--prefer-offline',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
  ]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !asked.test(name)))
  const { status } = spawnSync(program, [...first, 'ci', ...args, ...quiet, ...network], {
    cwd: folder,
    env,
    stdio: 'inherit',
  })
  return status === 0
}
