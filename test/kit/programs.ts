import { spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { copyDemo } from './data-folders.ts'
import { root } from './repository.ts'
import {
  type CliResult,
  makeDataFolder,
  resultOf,
  runJson,
  startService,
  type TestService,
} from './service.ts'

/** Runs a program of its own, with nothing of our environment but what is given. */
export function runProgram(
  args: readonly string[],
  { env = {}, cwd = root }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<CliResult> {
  const { PATH = '' } = process.env
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  return resultOf(spawn(process.execPath, args, { cwd, env: { PATH, ...env }, stdio: [...stdio] }))
}

/** Compiles TypeScript as a stranger would: under `strict`, and what else the flags say. */
export function compile(cwd: string, flags: readonly string[]): Promise<CliResult> {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc')
  const common = [
    '--ignoreConfig',
    '--strict',
    '--target',
    'es2024',
    '--types',
    'node',
    '--pretty',
    'false',
  ]
  return runProgram([compiler, ...common, ...flags], { cwd })
}

/** Lets programs in a folder import our packages. */
export function linkPackages(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

export interface DemoService extends TestService {
  /** Reads, and writes prompts. */
  readonly key: string
}

/** A service with its demonstration, and a key for all that its operations need. */
export async function startDemoService(env: Record<string, string> = {}): Promise<DemoService> {
  const folder = await makeDataFolder()
  await copyDemo(folder.path)
  const service = await startService({ dataDir: folder.path, env })
  const asked = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.demoKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ projects(first: 1) { nodes { workspace { id } } } }' }),
  })
  const { data } = (await asked.json()) as {
    data: { projects: { nodes: { workspace: { id: string } }[] } }
  }
  const workspaceId = data.projects.nodes[0]?.workspace.id ?? ''
  const grants = ['--scope', 'read', '--scope', 'write', '--capability', 'prompt:draft']
  const made = ['key', 'create', '--workspace', workspaceId, ...grants]
  const { key } = await runJson<{ key: string }>(made, { env: service.env })
  const stop = async () => {
    const result = await service.stop()
    await folder.remove()
    return result
  }
  return { ...service, key, stop }
}
