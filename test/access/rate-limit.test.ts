import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeRequest } from '../../plugins/rate-limit.ts'
import { redisLimiter } from '../../plugins/redis-limiter.ts'
import { withoutPreload } from '../kit/day.ts'
import { freePort } from '../kit/web/free-port.ts'

const hasRedis = spawnSync('redis-server', ['--version'], { env: withoutPreload() }).status === 0
if (!hasRedis && process.env.CI === 'true') throw new Error('redis-server is missing')

describe.skipIf(!hasRedis)('the limiter over Redis', () => {
  let redis: ChildProcess
  let port = 0

  async function startRedis(): Promise<void> {
    redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
      env: withoutPreload(),
    })
    await new Promise<void>((resolve) => {
      redis.stdout?.on('data', (text) => String(text).includes('Ready to accept') && resolve())
    })
  }

  async function stopRedis(): Promise<void> {
    const ended = new Promise((resolve) => redis.once('exit', resolve))
    redis.kill('SIGKILL')
    await ended
  }

  beforeAll(async () => {
    port = await freePort()
    await startRedis()
  })
  afterAll(stopRedis)

  const limiterOf = async () => {
    const made = redisLimiter(`redis://127.0.0.1:${port}`, pino({ level: 'silent' }))
    for (let i = 0; i < 50; i++) {
      const headers = {}
      await takeRequest(made.limiter, 'warm-up', headers)
      if ('RateLimit' in headers) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return made
  }

  test('two processes share one bucket', async () => {
    const [one, two] = [await limiterOf(), await limiterOf()]
    const headers: Record<string, string> = {}
    await takeRequest(one.limiter, 'shared', headers)
    expect(headers['X-RateLimit-Remaining']).toBe('599')
    await takeRequest(two.limiter, 'shared', headers)
    expect(headers['X-RateLimit-Remaining']).toBe('598')
    one.close()
    two.close()
  })

  test('the 601st request is refused, with the seconds to wait', async () => {
    const { limiter, close } = await limiterOf()
    const outcomes = await Promise.all(
      Array.from({ length: 600 }, () => takeRequest(limiter, 'full', {})),
    )
    expect(outcomes.filter((fault) => fault !== undefined)).toEqual([])
    const headers: Record<string, string> = {}
    const refused = await takeRequest(limiter, 'full', headers)
    expect(refused?.fault.code).toBe('rate_limited')
    expect(Number(refused?.fault.headers['Retry-After'])).toBeGreaterThan(0)
    expect(headers['X-RateLimit-Remaining']).toBe('0')
    close()
  })

  test('while Redis is away requests pass at once, without rate headers; then it counts again', async () => {
    const { limiter, close } = await limiterOf()
    await stopRedis()
    const headers = {}
    const began = performance.now()
    expect(await takeRequest(limiter, 'away', headers)).toBeUndefined()
    expect(headers).toEqual({})
    expect(performance.now() - began).toBeLessThan(20_000)
    await startRedis()
    const again: Record<string, string> = {}
    for (let i = 0; i < 100 && !('RateLimit' in again); i++) {
      await takeRequest(limiter, 'back', again)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(again['X-RateLimit-Limit']).toBe('600')
    close()
  })
})
