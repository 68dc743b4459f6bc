import { spawnSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { canMount, mountDisk } from '../kit/disk.ts'
import { until } from '../kit/service.ts'
import { isShipped, makeFolder, ship, useWarehouse } from '../kit/tracker/folder.ts'
import { makeSite, send, startTrackerPart, startWriterPart } from '../kit/tracker/processes.ts'

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Sends one request after the other, each with paths of its own. */
function sender(target: { port: number }, site: ReturnType<typeof makeSite>) {
  const acknowledged: string[] = []
  let count = 0
  return {
    acknowledged,
    async once(): Promise<Response> {
      const paths = Array.from({ length: 50 }, () => `/${count++}`)
      const response = await send(target, site, paths)
      if (response === undefined) throw new Error('no answer')
      if (response.status === 202) acknowledged.push(...paths)
      return response
    },
    async untilStatus(status: number): Promise<Response> {
      let response = await this.once()
      await until(async () => {
        if (response.status !== status) response = await this.once()
        return response.status === status
      })
      return response
    },
  }
}

test.skipIf(!canMount)(
  'on a full disk every request is refused, none falsely acknowledged, and events are taken again once there is room',
  async () => {
    const { url, paths } = useWarehouse()
    const dir = await makeFolder()
    mountDisk(dir, 4 * 2 ** 20)
    const site = makeSite()
    const ballast = join(dir, 'ballast')
    await writeFile(ballast, Buffer.alloc(2 * 2 ** 20))
    const tracker = await startTrackerPart({ dir, site })
    onTestFinished(() => tracker.kill())
    const client = sender(tracker, site)

    const refusal = await client.untilStatus(503)
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await freeBytes(dir)).toBeLessThan(20_000)
    for (let time = 0; time < 20; time++) {
      expect((await client.once()).status).toBe(503)
      await sleep(50)
    }
    await rm(ballast)
    await client.untilStatus(202)

    // Again, with nothing to make room but the writer, which has to work on the full disk.
    await client.untilStatus(503)
    const writer = await startWriterPart(dir, url)
    onTestFinished(() => writer.kill())
    await client.untilStatus(202)
    await until(() => isShipped(dir))

    const stored = await paths(site.projectId)
    expect(stored).toEqual(client.acknowledged.toSorted())
    const told = tracker
      .errors()
      .split('\n')
      .filter((line) => line.includes('Events are refused'))
    // One line when it begins, not one a request.
    expect(told.length).toBeLessThan(6)
  },
)

test.skipIf(!canTrace)(
  'a write or sync that the disk refuses acknowledges nothing, and is left behind',
  async () => {
    const { warehouse, paths } = useWarehouse()
    for (const call of ['fdatasync', 'pwrite64']) {
      const dir = await makeFolder()
      const site = makeSite()
      // Counted per thread, so that there is one.
      const oneThread = ['-E', 'UV_THREADPOOL_SIZE=1']
      const inject = `inject=${call}:error=EIO:when=5..6`
      const through = [
        'strace',
        '-f',
        '-qq',
        ...oneThread,
        ...oneThread,
        '-o',
        '/dev/null',
        '-e',
        `trace=${call}`,
        '-e',
        inject,
      ]
      const tracker = await startTrackerPart({ dir, site, through })
      onTestFinished(() => tracker.kill())
      const client = sender(tracker, site)
      const statuses: number[] = []
      await until(async () => {
        statuses.push((await client.once()).status)
        await sleep(20)
        return client.acknowledged.length >= 500
      })
      expect(new Set(statuses)).toEqual(new Set([202, 503]))
      await ship(dir, warehouse)
      const stored = await paths(site.projectId)
      expect(stored).toEqual(client.acknowledged.toSorted())
    }
  },
)

test.skipIf(!canTrace).each([1, 2, 3, 4, 5, 6])(
  'a tracker that is killed at write %i of frames and zeros loses nothing that it acknowledged',
  async (when) => {
    const { warehouse, paths } = useWarehouse()
    const dir = await makeFolder()
    const site = makeSite()
    const inject = ['-e', 'trace=pwrite64', '-e', `inject=pwrite64:signal=SIGKILL:when=${when}`]
    const oneThread = ['-E', 'UV_THREADPOOL_SIZE=1']
    const through = ['strace', '-f', '-qq', ...oneThread, '-o', '/dev/null', ...inject]
    const acknowledged: string[] = []
    let count = 0
    async function sendTo(tracker: { port: number }): Promise<number | undefined> {
      const sent = [`/${when}-${count++}`]
      const response = await send(tracker, site, sent)
      if (response?.status === 202) acknowledged.push(...sent)
      return response?.status
    }
    const first = await startTrackerPart({ dir, site, through })
    onTestFinished(() => first.kill())
    // A frame, its zeros, and then frames within these.
    for (let n = 0; n < 7; n++) await sendTo(first)
    expect(await sendTo(first)).toBeUndefined()
    await first.kill()
    const next = await startTrackerPart({ dir, site })
    onTestFinished(() => next.kill())
    expect(await sendTo(next)).toBe(202)
    await ship(dir, warehouse)
    const stored = await paths(site.projectId)
    expect(stored).toHaveLength(new Set(stored).size)
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
    // The write that the kill cut short may be whole on disk, though it was not acknowledged.
    expect(stored.length - acknowledged.length).toBeLessThanOrEqual(1)
  },
)
