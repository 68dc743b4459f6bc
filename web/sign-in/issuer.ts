const timeoutMs = 5000

/** Why a provider of sign-ins cannot be used now; undefined for one that answers. */
export async function issuerProblem(issuer: string): Promise<string | undefined> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const about: unknown = answer.ok ? await answer.json().catch(() => null) : null
    await answer.body?.cancel().catch(() => undefined)
    const isKnown = typeof about === 'object' && about !== null && 'issuer' in about
    return isKnown ? undefined : `answers ${answer.status} at ${url}, and is no OpenID provider`
  } catch (error) {
    const { message, cause } = error as Error
    return `does not answer at ${url}: ${cause instanceof Error ? cause.message : message}`
  }
}
