import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether an element is or was near the screen, or the page goes to paper. */
export function useReached(): readonly [ref: RefObject<HTMLDivElement | null>, isReached: boolean] {
  const ref = useRef<HTMLDivElement>(null)
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isReached) return
    const reach = () => setReached(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && reach(),
      { rootMargin: '300px' },
    )
    observer.observe(element)
    addEventListener('beforeprint', reach)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', reach)
    }
  }, [isReached])
  return [ref, isReached]
}
