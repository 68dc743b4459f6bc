import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { install } from './npm.js'

/** Workspaces of tools that write what is not in the repository, and that a production install lacks. */
const workspaces = ['codegen', 'dashboard']

/** All that npm must see to install some workspaces from the lock file of all. */
function manifests(root) {
  const packages = readdirSync(join(root, 'packages')).map(
    (name) => `packages/${name}/package.json`,
  )
  const ofTools = workspaces.map((name) => `${name}/package.json`)
  const all = ['.npmrc', 'package.json', 'package-lock.json', ...ofTools, ...packages]
  return all.filter((file) => existsSync(join(root, file)))
}

/** Whether the tools are installed, as they are unless development is left out. */
function hasTools(root) {
  return workspaces.every((workspace) => {
    const { devDependencies } = JSON.parse(
      readFileSync(join(root, workspace, 'package.json'), 'utf8'),
    )
    return Object.keys(devDependencies).every((name) =>
      [workspace, '.'].some((at) => existsSync(join(root, at, 'node_modules', name))),
    )
  })
}

/**
 * Installs the tools apart from the packages of the service, links them to where the sources find them first, and throws
 * them away after `use`.
 */
function withFetchedTools(root, use) {
  // Inside of `node_modules`, so that a killed run leaves nothing that the next `npm ci` keeps.
  const folder = join(root, 'node_modules', '.tools')
  const tools = join(folder, 'node_modules')
  const links = workspaces.map((name) => [join(root, name, 'node_modules'), tools])
  // Pothos' generator is a package of the service, and needs the compiler that a production install lacks.
  const compiler = join(root, 'node_modules', 'typescript')
  if (!existsSync(compiler)) links.push([compiler, join(tools, 'typescript')])
  const remove = () => {
    for (const [path] of links) rmSync(path, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
  remove()
  try {
    mkdirSync(folder, { recursive: true })
    for (const file of manifests(root)) cpSync(join(root, file), join(folder, file))
    const named = workspaces.map((name) => `--workspace=${name}`)
    if (!install(folder, ...named, '--include=dev', '--include=optional')) return null
    for (const [path, target] of links) symlinkSync(target, path)
    return use()
  } finally {
    remove()
  }
}

/**
 * Writes Prisma's client and the documents of the dashboard and the examples, and builds the dashboard. Where the tools
 * are not installed, it fetches them, and throws them away again.
 * @param {string} root
 * @param {string} node
 * @returns {boolean | null} whether all is written; null where the tools could not be fetched
 */
export function writeGenerated(root, node) {
  const run = (...args) => spawnSync(node, args, { cwd: root, stdio: 'inherit' }).status === 0
  const isDevelopment = hasTools(root)
  const write = () =>
    run('codegen/prisma.ts') &&
    run('codegen/examples.ts', ...(isDevelopment ? [] : ['--production'])) &&
    run('dashboard/build.ts')
  return isDevelopment ? write() : withFetchedTools(root, write)
}
