import { Children, type ReactNode } from 'react'

/** A list that scrolls within the page, by keyboard too. */
export function Items({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  if (Children.count(children) === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need focus
    <section className="items" tabIndex={0} aria-label={title}>
      {children}
    </section>
  )
}
