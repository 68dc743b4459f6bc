import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { type Limiter, requestsPerWindow, type Taken, windowSeconds } from './limiter.ts'

/** Longer than Redis takes on a machine with more work than cores: a request that is not counted passes. */
const answerMs = 3000

/** A limiter that several API processes share. While Redis is away it fails at once: requests pass. */
export function redisLimiter(url: string, log: Logger): { limiter: Limiter; close: () => void } {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
  })
  let isAway = false
  client.on('error', ({ message }) => {
    if (!isAway) {
      log.warn({ error: message }, 'the Redis of REDIS_URL is away, and requests are not counted')
    }
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.info({}, 'the Redis of REDIS_URL answers again')
    isAway = false
  })
  const buckets = new RateLimiterRedis({
    storeClient: client,
    points: requestsPerWindow,
    duration: windowSeconds,
    keyPrefix: 'sightline:rate',
  })
  const take = patient((bucket: string, cost: number) =>
    cost < 0 ? buckets.reward(bucket, -cost) : buckets.consume(bucket, cost),
  )
  const limiter: Limiter = (bucket, cost) =>
    take(bucket, cost).then(
      (bucketNow) => takenOf(bucketNow, false),
      (refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return takenOf(refusal, true)
        throw refusal
      },
    )
  return { limiter, close: () => client.disconnect() }
}

const takenOf = (
  { remainingPoints: remaining, msBeforeNext: msBeforeReset }: RateLimiterRes,
  isOver: boolean,
): Taken => ({ isOver, remaining, msBeforeReset })

/**
 * Fails when Redis hangs, and then at once for as long again. The timer of the client itself would run out in a process
 * that was busy, with the answer unread in its socket.
 */
function patient<Args extends unknown[], T>(
  ask: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let awayUntil = 0
  return async (...args) => {
    if (performance.now() < awayUntil) throw new Error('Redis does not answer.')
    const answer = Promise.withResolvers<T>()
    const late = setTimeout(() => {
      // Between a timer and an immediate, the process reads its sockets.
      setImmediate(() => {
        awayUntil = performance.now() + answerMs
        answer.reject(new Error('Redis does not answer.'))
      })
    }, answerMs)
    ask(...args).then(answer.resolve, answer.reject)
    return answer.promise.finally(() => clearTimeout(late))
  }
}
