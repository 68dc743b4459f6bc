import { Link } from 'wouter'
import { useAddress } from '../state/address.ts'
import { t } from '../texts/texts.ts'

interface PagingProps {
  /** The path of the list. */
  readonly here: string
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Links through a list whose place the address holds. */
export function Paging({ here, pageInfo }: PagingProps) {
  const { state, link } = useAddress()
  const { after, ...own } = state
  const more = pageInfo?.hasNextPage && pageInfo.endCursor
  if (!after && !more) return null
  return (
    <p className="pages">
      {after && <Link href={link(here, own)}>{t.tools.first}</Link>}
      {more && <Link href={link(here, { ...own, after: more })}>{t.tools.next}</Link>}
    </p>
  )
}
