import pg from 'pg'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * A connection that sends one statement at a time. Prisma sends those of a transaction side by side; pg warns
 * of that, and its next major version refuses it.
 * @see https://github.com/prisma/orm/pull/29468
 */
export class SerialClient extends pg.Client {
  #last: Promise<unknown> = Promise.resolve()

  override query = ((...args: unknown[]) => {
    const send = () => (super.query as Query).apply(this, args)
    // The pool itself calls back, and does not ask for more before.
    if (typeof args.at(-1) === 'function') return send()
    const sent = this.#last.then(send)
    this.#last = sent.catch(() => undefined)
    return sent
  }) as pg.Client['query']
}
