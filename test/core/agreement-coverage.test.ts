import { describe, expect, test } from 'vitest'
import { random } from '../../bench/simulations/draws.ts'
import { agreementsOf, type PairedAnswer } from '../../core/method/agreement.ts'
import { sized } from '../kit/soak.ts'

/**
 * How often the intervals of an agreement contain what they are about, in samples of a known world: prompts differ in how
 * often the page and the API say the same, and a project asks some of them on some days.
 */

const samples = sized({ normal: 100, soak: 4000 })
/** The least share of intervals with the truth: of few samples less, by chance. */
const least = sized({ normal: 0.88, soak: 0.925 })
/** An interval that always contains the truth is too wide. */
const most = sized({ normal: 1, soak: 0.995 })

/** Prompts and days of a sample. */
const worlds = [
  { prompts: 10, days: 4 },
  { prompts: 30, days: 1 },
  { prompts: 30, days: 7 },
  { prompts: 100, days: 3 },
] as const

/** The probability that a prompt is one of those whose answers mostly agree, and how often each kind agrees. */
const agreeable = 0.7
const rates = [0.35, 0.9] as const
const truth = agreeable * rates[1] + (1 - agreeable) * rates[0]

/** How often an answer by API mentions the own brand, and a page more or less often. */
const mentioned = 0.6

/** A page says of the own brand what the API says, or the opposite; so it is with the first brand, and with the domains. */
function answersOf({ prompts, days }: (typeof worlds)[number]): PairedAnswer[] {
  return Array.from({ length: prompts }, (_, prompt) => {
    const rate = random() < agreeable ? rates[1] : rates[0]
    return Array.from({ length: days }, (_, day) => {
      const at = { promptId: `${prompt}`, day: `${day}`, locationId: '', platform: 'chatgpt' }
      const isOwnMentioned = random() < mentioned
      const isAlike = random() < rate
      const domains = ['a.example', 'b.example']
      return [
        { ...at, obtained: 'api' as const, isOwnMentioned, firstBrand: 'acme', domains },
        {
          ...at,
          obtained: 'surface' as const,
          isOwnMentioned: isAlike ? isOwnMentioned : !isOwnMentioned,
          firstBrand: random() < rate ? 'acme' : 'rival',
          // Both of two domains, or one of four.
          domains: random() < rate ? domains : ['a.example', 'c.example', 'd.example'],
        },
      ]
    })
  }).flat(2)
}

/** What is true of all prompts: rates, and the page's visibility less the API's. */
const truths = {
  mentions: truth,
  firsts: truth,
  // One of four domains where they differ.
  domains: truth + (1 - truth) / 4,
  difference: mentioned - (truth * mentioned + (1 - truth) * (1 - mentioned)),
}

describe.each(worlds)('of $prompts prompts on $days days', (world) => {
  test('the 95 % intervals contain the truth about as often as they say', () => {
    const hits = { mentions: 0, firsts: 0, domains: 0, difference: 0 }
    let differences = 0
    for (let at = 0; at < samples; at++) {
      const [found] = agreementsOf(answersOf(world))
      if (!found) throw new Error('The ways have no pairs.')
      const intervals = {
        mentions: found.mentions.interval,
        firsts: found.firsts.interval,
        domains: found.domains.interval,
        difference: found.difference,
      }
      for (const [name, bounds] of Object.entries(intervals)) {
        const key = name as keyof typeof hits
        if (!bounds) continue
        if (key === 'difference') differences++
        if (bounds.low <= truths[key] && truths[key] <= bounds.high) hits[key]++
      }
    }
    const shares = {
      mentions: hits.mentions / samples,
      firsts: hits.firsts / samples,
      domains: hits.domains / samples,
      ...(differences > 0 && { difference: hits.difference / differences }),
    }
    for (const [name, share] of Object.entries(shares)) {
      expect(share, name).toBeGreaterThanOrEqual(least)
      expect(share, name).toBeLessThanOrEqual(most)
    }
  })
})
