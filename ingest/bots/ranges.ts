import { isDeepStrictEqual } from 'node:util'
import {
  builtinRanges,
  type CrawlerRanges,
  createVerifier,
  parseRanges,
  rangesIn,
  type VerifyCrawler,
  verifyCrawler,
} from '../../core/bots/crawler-ranges.ts'
import type { BotsOptions } from './bots.ts'
import { followList } from './follow.ts'

/** The current address ranges of crawlers. */
export interface RangesSource {
  /** A new function after each change: call it again instead of keeping the result. */
  current(): VerifyCrawler
  close(): void
}

/**
 * Opens the address ranges that vendors publish: the last valid ones in the list of the source, else the built-in ones. The source
 * is read in the background, at once and then periodically. An invalid list changes nothing, and a warning lists its
 * faults.
 */
export async function openRanges({ source, ...options }: BotsOptions): Promise<RangesSource> {
  let verify = verifyCrawler
  let ranges: CrawlerRanges = builtinRanges
  if (source === undefined) return { current: () => verify, close: () => undefined }
  const use = (list: CrawlerRanges) => {
    ranges = list
    verify = createVerifier(list)
  }
  const close = await followList(
    { ...options, source },
    {
      name: 'ranges of crawlers',
      parse: rangesIn,
      parseStored: parseRanges,
      onStored: use,
      onRead(list) {
        if (isDeepStrictEqual(list, ranges)) return
        use(list)
        const newest = list
          .map(({ asOf }) => asOf)
          .sort()
          .at(-1)
        options.log.info({ crawlers: list.length, newest }, 'the ranges of crawlers changed')
      },
    },
  )
  return { current: () => verify, close }
}
