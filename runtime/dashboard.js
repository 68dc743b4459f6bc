import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { install } from './npm.js'

/** All that npm must see to install one workspace from the lock file of all. */
function manifests(root) {
  const packages = readdirSync(join(root, 'packages')).map(
    (name) => `packages/${name}/package.json`,
  )
  const all = ['.npmrc', 'package.json', 'package-lock.json', 'dashboard/package.json', ...packages]
  return all.filter((file) => existsSync(join(root, file)))
}

/** Whether what builds the dashboard is installed, as it is unless development is left out. */
function hasTools(root) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'dashboard/package.json'), 'utf8'))
  return Object.keys(devDependencies).every((name) =>
    ['dashboard', '.'].some((at) => existsSync(join(root, at, 'node_modules', name))),
  )
}

/** Installs the tools apart from the packages of the service, and puts them where the sources find them first. */
function fetchTools(root, tools) {
  // Beside the packages, so that a killed run leaves nothing that the next `npm ci` keeps.
  const folder = join(root, 'node_modules', '.dashboard')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    for (const file of manifests(root)) cpSync(join(root, file), join(folder, file))
    const isThere = install(folder, '--workspace=dashboard', '--include=dev', '--include=optional')
    if (!isThere) return false
    rmSync(tools, { recursive: true, force: true })
    renameSync(join(folder, 'node_modules'), tools)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Builds the dashboard, with tools that are thrown away again where they are not installed.
 * @param {string} root
 * @param {string} node
 * @returns {boolean | null} whether it is built; null where its tools could not be fetched
 */
export function buildDashboard(root, node) {
  const build = () =>
    spawnSync(node, ['dashboard/build.ts'], { cwd: root, stdio: 'inherit' }).status === 0
  if (hasTools(root)) return build()
  const tools = join(root, 'dashboard', 'node_modules')
  try {
    return fetchTools(root, tools) ? build() : null
  } finally {
    rmSync(tools, { recursive: true, force: true })
  }
}
