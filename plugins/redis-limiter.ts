import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible'
import { requestsPerWindow, windowSeconds } from './rate-limit.ts'

/** A limiter that several API processes share. While Redis is away it fails at once: requests pass. */
export function redisLimiter(
  url: string,
  log: Logger,
): { limiter: RateLimiterAbstract; close: () => void } {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 1000,
  })
  client.on('error', (error) => log.warn({ error: error.message }, 'the rate limiter is away'))
  return {
    limiter: new RateLimiterRedis({
      storeClient: client,
      points: requestsPerWindow,
      duration: windowSeconds,
      keyPrefix: 'sightline:rate',
    }),
    close: () => client.disconnect(),
  }
}
