/** Where a page asks for the key of its code. */
export const pageKeyPath = '/page-key'

/**
 * Finds the key of a page: that of `#code=…` or `#key=sgl_…` in the address, else the kept one. `#code` works once, and
 * may sign the browser in instead, which needs no key. The tab's session storage keeps a key, and the address neither.
 * Defines `kept`, the promise `pageKey`, and `link`, which says whether the code of the address was used before.
 */
export const pageKeyScript = `
      const kept = 'sightline-key'
      const link = { isUsed: false }
      const pageKey = (async () => {
        const [, kind, value] = /^#(key|code)=([0-9A-Za-z_-]+)$/.exec(location.hash) ?? []
        if (!kind) return sessionStorage.getItem(kept)
        history.replaceState(null, '', location.pathname + location.search)
        if (kind === 'code') {
          const headers = { 'Content-Type': 'application/json' }
          const body = JSON.stringify({ code: value })
          const answer = await fetch('${pageKeyPath}', { method: 'POST', headers, body })
          link.isUsed = answer.status === 404
          if (!answer.ok) return sessionStorage.getItem(kept)
          const { key } = await answer.json()
          if (key) sessionStorage.setItem(kept, key)
          else sessionStorage.removeItem(kept)
          return key
        }
        sessionStorage.setItem(kept, value)
        return value
      })()`
