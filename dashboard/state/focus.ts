import { useEffect } from 'react'

/** The parts around an element that can take the focus in its place, the nearest first. */
function partsAround(element: Element): HTMLElement[] {
  const parts: HTMLElement[] = []
  let part = element.parentElement?.closest<HTMLElement>('section[aria-label], #page')
  while (part) {
    parts.push(part)
    part = part.parentElement?.closest<HTMLElement>('section[aria-label], #page')
  }
  return parts
}

/**
 * Keeps the place of a reader with a keyboard: when the element with the focus goes, as a deleted row or a pressed “Try again”
 * does, the part around it takes the focus, and else the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: { readonly element: Element; readonly parts: readonly HTMLElement[] } | undefined
    function came({ target }: FocusEvent) {
      if (target instanceof Element) last = { element: target, parts: partsAround(target) }
    }
    function went({ target }: FocusEvent) {
      // A reader who clicks on nothing gives the focus up; an element that goes does not.
      setTimeout(() => {
        const isGivenUp = target === last?.element && last?.element.isConnected
        if (isGivenUp && document.activeElement === document.body) last = undefined
      })
    }
    function look() {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return
      const left = last.parts.find((part) => part.isConnected)
      const part = left ?? document.querySelector<HTMLElement>('#page')
      if (!part) return
      if (!part.hasAttribute('tabindex')) part.tabIndex = -1
      part.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    addEventListener('focusin', came)
    addEventListener('focusout', went)
    return () => {
      observer.disconnect()
      removeEventListener('focusin', came)
      removeEventListener('focusout', went)
    }
  }, [])
}
