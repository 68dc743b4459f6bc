import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { install } from './npm.js'

const needed = 24

/**
 * Makes `node_modules/.bin/node` a Node.js that is new enough: the machine's own, or one that is fetched.
 * @param {string} root
 * @returns {string | null} its path; null where the machine's is too old, and none could be fetched
 */
export function linkNode(root) {
  const folder = join(root, 'install')
  const name = `node-${process.platform}-${process.arch}`
  const own = join(folder, 'node_modules', name, 'bin', 'node')
  const machine = realpathSync(process.execPath)
  const isOurs = existsSync(own) && realpathSync(own) === machine
  const isNew = Number.parseInt(process.versions.node, 10) >= needed
  if (isNew && !isOurs) return link(root, machine)
  return fetched(folder, name, own)
    ? link(root, relative(join(root, 'node_modules', '.bin'), own))
    : null
}

/** Whether the Node.js that the lock file pins is there, which an earlier installation may have fetched. */
function fetched(folder, name, own) {
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const version = read('package.json').optionalDependencies[name]
  if (version === undefined) return false
  const manifest = join('node_modules', name, 'package.json')
  const isThere = existsSync(join(folder, manifest)) && read(manifest).version === version
  return (isThere || install(folder, '--include=optional')) && existsSync(own)
}

function link(root, target) {
  const path = join(root, 'node_modules', '.bin', 'node')
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  symlinkSync(target, path)
  return realpathSync(path)
}
