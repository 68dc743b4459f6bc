import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** The folder of the guide's files, where the type check finds them. */
const guideFolder = 'examples/contributing'

/** A file that CONTRIBUTING.md shows: a step, "**2. Write the statement** in `path`", and its block of TypeScript. */
const shownFile =
  /^\*\*\d+\. [^*]+\*\* in `(?<path>[\w/.-]+\.ts)`(?:(?!```).)*?\n```ts\n(?<code>.*?)```/gms

/** The files that a guide shows, by path. */
export function shownFiles(guide: string): ReadonlyMap<string, string> {
  const files = [...guide.matchAll(shownFile)].map(
    ({ groups: { path = '', code = '' } = {} }) => [path, code] as const,
  )
  return new Map(files)
}

/** Its imports as they read from the guide's folder: files of the guide stay, others are those of the repository. */
function movedImports(path: string, code: string, isShown: (path: string) => boolean): string {
  return code.replaceAll(/(?<=from ')\.[^']+(?=')/g, (specifier) => {
    const target = join(dirname(path), specifier)
    if (isShown(target)) return specifier
    return relative(dirname(join(guideFolder, path)), target)
  })
}

/** Writes the code of CONTRIBUTING.md as files, so that the type check reads what a newcomer will copy. */
export async function writeGuide(root: string): Promise<void> {
  const files = shownFiles(await readFile(join(root, 'CONTRIBUTING.md'), 'utf8'))
  if (files.size === 0)
    throw new Error('CONTRIBUTING.md must show files: "in `path`." before a block.')
  await rm(join(root, guideFolder), { recursive: true, force: true })
  for (const [path, code] of files) {
    const into = join(root, guideFolder, path)
    await mkdir(dirname(into), { recursive: true })
    await writeFile(
      into,
      movedImports(path, code, (target) => files.has(target)),
    )
  }
}
