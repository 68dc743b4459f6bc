import { execFileSync } from 'node:child_process'

/** The last release, as far as git knows it. */
export interface Release {
  /** For people, such as `v0.2.0`. */
  readonly name: string
  /** A tracked file as it was then; undefined where it was not there. */
  textOf(path: string): string | undefined
  /** What to do for a better comparison. */
  readonly notice?: string
}

function git(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64_000_000,
    })
  } catch {
    return undefined
  }
}

/**
 * The release that clients rely on: the tag of a version or, in a clone without tags, the commit that raised the version.
 * @param version of `package.json`
 * @returns undefined without a history of git
 */
export function lastRelease(root: string, version: string): Release | undefined {
  const at = (commit: string) => (path: string) => git(root, 'show', `${commit}:${path}`)
  const tag = git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim()
  if (tag) return { name: tag, textOf: at(tag) }
  const raised = git(root, 'log', '--format=%h', `-S"version": "${version}"`, '--', 'package.json')
  const commit = raised?.trim().split('\n').at(-1)
  if (!commit) return undefined
  return {
    name: `${version} (${commit})`,
    textOf: at(commit),
    notice: `There is no tag of a release here, so the APIs are compared with ${commit}, which set version ${version}. Run: git fetch --tags\n`,
  }
}
