import { tokenCost } from '../../core/collecting/providers/cost.ts'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import type { Used } from '../../imports/judge/client.ts'
import type { SentCall } from '../../imports/judge/judge.ts'
import type { Db } from '../../prisma/client.ts'
import { payForSentiment } from '../../resolvers/sentiment/method.ts'

/** What a call takes at most: the instructions, few characters in a token, and a long reply. */
const call = { instructionTokens: 600, charactersPerToken: 2, replyTokens: 1200 }

interface Price {
  readonly call: number
  readonly input: number
  readonly output: number
}

interface PurseOf {
  readonly projectId: string
  readonly version: string
  readonly provider: AskedProvider
  readonly model: string
  /** US dollars in a UTC month; null without a cap. */
  readonly monthCap: number | null
  /** US dollars of this month before the run. */
  readonly spent: number
}

/** Keeps the calls of a run under the cap of a project, and writes down what they took. */
export class Purse {
  readonly #db: Db
  readonly #of: PurseOf
  /** US dollars of a call, and of 1,000 tokens in and out, by the list; 0 for what has no price. */
  readonly #price: Price
  readonly #writes: Promise<void>[] = []
  #spent: number
  /** For calls under way. */
  #reserved = 0
  #isEmpty = false

  private constructor(db: Db, of: PurseOf, price: Price) {
    this.#db = db
    this.#of = of
    this.#price = price
    this.#spent = of.spent
  }

  static async open(db: Db, of: PurseOf): Promise<Purse> {
    const priceOf = async (inputTokens: number, outputTokens: number) =>
      (await tokenCost(of.provider, of.model, { inputTokens, outputTokens })) ?? 0
    const [call, input, output] = await Promise.all([
      priceOf(0, 0),
      priceOf(1000, 0),
      priceOf(0, 1000),
    ])
    return new Purse(db, of, { call, input: input - call, output: output - call })
  }

  /** Whether a call has ended at the cap. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  #most(characters: number): number {
    const tokens = call.instructionTokens + characters / call.charactersPerToken
    const { input, output } = this.#price
    return this.#price.call + (tokens * input + call.replyTokens * output) / 1000
  }

  /** Takes what a call may cost; false where the cap does not allow it. */
  take(characters: number): boolean {
    const { monthCap } = this.#of
    const most = this.#most(characters)
    if (monthCap !== null && this.#spent + this.#reserved + most > monthCap) {
      this.#isEmpty = true
      return false
    }
    this.#reserved += most
    return true
  }

  pay(used: Used | null, { passages, characters }: SentCall): void {
    this.#reserved -= this.#most(characters)
    if (used === null) return
    this.#spent += used.cost ?? 0
    const { projectId, version } = this.#of
    this.#writes.push(
      payForSentiment(this.#db, { projectId, version, passages, ...used }, new Date()),
    )
  }

  /** Waits until all is written down. */
  async close(): Promise<void> {
    await Promise.all(this.#writes)
  }
}
