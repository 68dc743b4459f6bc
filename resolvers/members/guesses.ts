import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Fault } from '../../core/errors.ts'

/** Who guesses a password, and whose. */
export interface Guess {
  readonly account: string
  readonly address: string
}

/** Limits wrong passwords. */
export interface Guesses {
  /**
   * Counts a guess before the password is looked at, so that guesses at the same time count too.
   * @throws {Fault} `rate_limited`
   */
  take(guess: Guess): Promise<void>
  /** Gives a guess back that was right. */
  wasRight(guess: Guess): Promise<void>
}

const quarterSeconds = 15 * 60

/**
 * Limits by account at an address, by account, and by address: ten, fifty in an hour and a hundred wrong passwords. So a
 * stranger locks nobody out of an account from elsewhere with few guesses, and nobody guesses through many accounts.
 */
export function limitGuesses(): Guesses {
  const limits = [
    {
      of: ({ account, address }: Guess) => `${account} ${address}`,
      limiter: new RateLimiterMemory({ points: 10, duration: quarterSeconds }),
    },
    {
      of: ({ account }: Guess) => account,
      limiter: new RateLimiterMemory({ points: 50, duration: 60 * 60 }),
    },
    {
      of: ({ address }: Guess) => address,
      limiter: new RateLimiterMemory({ points: 100, duration: quarterSeconds }),
    },
  ]
  return {
    async take(guess) {
      for (const { of, limiter } of limits) {
        try {
          await limiter.consume(of(guess))
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
          const minutes = Math.ceil(seconds / 60)
          throw new Fault(
            'rate_limited',
            `Too many wrong passwords. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
            { headers: { 'Retry-After': String(seconds) } },
          )
        }
      }
    },
    async wasRight(guess) {
      for (const { of, limiter } of limits) await limiter.reward(of(guess))
    },
  }
}
