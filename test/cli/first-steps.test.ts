import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, root } from '../kit/repository.ts'
import { until } from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'
import { freePort } from '../kit/web/free-port.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux && process.env.CI === 'true') throw new Error('tmux is missing')

const page = readFileSync(join(root, 'README.md'), 'utf8')
const [, section = ''] = /^## Your own report in two minutes\n([\s\S]*?)^## /m.exec(page) ?? []
const [, answers = ''] = /^```jsonl\n([\s\S]*?)^```$/m.exec(section) ?? []
const [, block = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(section) ?? []
const commands = block.replaceAll('\\\n', '').trim().split('\n')

/** For a command on a busy machine: what counts is processor time. */
const patienceMs = 300_000

/** A folder with the files of this repository, and without data. */
function freshCopy(): string {
  const folder = emptyFolder()
  for (const name of readdirSync(root)) {
    if (!/^[.](git|sightline)$/.test(name)) symlinkSync(join(root, name), join(folder, name))
  }
  return folder
}

/** The path of a person: without the packages of this repository. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

/** A terminal with two windows, in a folder. */
async function openTerminal(folder: string) {
  const socket = join(folder, 'terminal')
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', cwd: folder })
  // Its own ports and data: another service may run from this folder.
  const [port, tracker] = [await freePort(), await freePort()]
  const shell = ['env', '-i', `PATH=${path}`, `HOME=${folder}`, 'TERM=screen', 'PS1=ready> ']
  const ports = [
    `PORT=${port}`,
    `TRACKER_PORT=${tracker}`,
    'LANG=C.UTF-8',
    `DATA_DIR=${join(folder, 'data')}`,
    // The soak starts as a stranger does: with the demonstration, and with nothing compiled.
    ...(isSoak ? [] : ['SIGHTLINE_DEMO=0', `NODE_COMPILE_CACHE=${process.env.NODE_COMPILE_CACHE}`]),
  ]
  const command = [...shell, ...ports, 'bash', '--norc', '--noprofile']
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'first', '-x', '200', '-y', '200', ...command)
  tmux('new-session', '-d', '-s', 'second', '-x', '200', '-y', '200', ...command)
  onTestFinished(() => {
    spawnSync('tmux', ['-S', socket, 'kill-server'])
  })
  const shows = (name: string) => tmux('capture-pane', '-p', '-t', name).trimEnd()
  const isReady = (name: string) => shows(name).endsWith('ready>')
  await until(() => isReady('first') && isReady('second'))
  return {
    shows,
    type(name: string, text: string): void {
      tmux('send-keys', '-t', name, '-l', text)
      tmux('send-keys', '-t', name, 'Enter')
    },
    press: (name: string, key: string) => tmux('send-keys', '-t', name, key),
    isReady,
  }
}

/** Processor time of all commands of a window. */
async function secondsOf(terminal: Awaited<ReturnType<typeof openTerminal>>, name: string) {
  const line = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/
  const lines = () =>
    terminal
      .shows(name)
      .split('\n')
      .flatMap((each) => line.exec(each)?.slice(1) ?? [])
  terminal.type(name, 'times')
  // One line is of the shell, the other of its commands.
  await until(() => lines().length === 8)
  const [minutes = 0, seconds = 0, more = 0, rest = 0] = lines().slice(4).map(Number)
  return 60 * (minutes + more) + seconds + rest
}

/** The names of the projects that a person sees who opens the address of the dashboard that a start prints. */
async function projectsOfDashboard(banner: string): Promise<string[]> {
  const [, url = '', code = ''] = /Dashboard +(http\S+?)\/#code=(\S+)/.exec(banner) ?? []
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    })
  const [cookie] = (await post('/page-key', { code })).headers.get('set-cookie')?.split(';') ?? []
  const answer = await post('/graphql', { query: '{ projects { nodes { name } } }' }, cookie)
  const { data } = (await answer.json()) as {
    data: { projects: { nodes: { name: string }[] } }
  }
  return data.projects.nodes.map(({ name }) => name)
}

test.skipIf(!hasTmux)(
  'six commands of README lead from nothing to a report on own data, which the dashboard shows, within two minutes',
  async () => {
    expect(commands).toHaveLength(6)
    const [start = '', ...others] = commands
    const folder = freshCopy()
    writeFileSync(join(folder, 'answers.jsonl'), answers)
    const terminal = await openTerminal(folder)
    terminal.type('first', start)
    const isUp = () => /ready after/.test(terminal.shows('first'))
    // A start that fails gives the prompt back, below its reason.
    await until(() => isUp() || terminal.shows('first').split('\n').at(-1) === 'ready>', patienceMs)
    expect(terminal.shows('first')).toMatch(/ready after/)
    const outputs: string[] = []
    for (const command of others) {
      terminal.press('second', 'C-l')
      await until(() => terminal.shows('second') === 'ready>')
      terminal.type('second', `${command}; echo "exit code $?"`)
      await until(
        () => /^exit code \d+$/m.test(terminal.shows('second')) && terminal.isReady('second'),
        patienceMs,
      )
      outputs.push(terminal.shows('second'))
    }
    for (const output of outputs) expect(output).toMatch(/^exit code 0$/m)
    const [workspace, project, loaded, voice, domains] = outputs
    expect(workspace).toMatch(/^Workspace {1,5}[0-9a-f-]{36}$/m)
    expect(project).toMatch(/^Project {1,5}[0-9a-f-]{36}$/m)
    expect(loaded).toMatch(/2 loaded, 0 there already, 0 rejected, of 2 lines/)
    expect(voice).toMatch(/Sony/)
    expect(voice).toMatch(/Bose/)
    expect(domains).toMatch(/rtings\.com/)
    expect(await projectsOfDashboard(terminal.shows('first'))).toContain('Sony')
    terminal.press('first', 'C-c')
    await until(() => terminal.isReady('first'))
    // Processor time of two cores, since other tests run beside this one: a machine that is free needs less.
    let seconds = 0
    for (const name of ['first', 'second']) seconds += await secondsOf(terminal, name)
    expect(seconds).toBeLessThan(2 * 120)
  },
  4 * patienceMs,
)
