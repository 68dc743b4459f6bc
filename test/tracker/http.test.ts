import { describe, expect, test } from 'vitest'
import { until } from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'
import { headOf, startEndpoint } from '../kit/tracker/endpoint.ts'
import { hitOf } from '../kit/tracker/service.ts'

const maxBodyBytes = 1_048_576
const megabyte = 'x'.repeat(2 ** 20)

/** A body in pieces, as HTTP/1.1 sends one whose length is not known. */
const chunked = (body: string, pieceBytes: number) =>
  `${(body.match(new RegExp(`[^]{1,${pieceBytes}}`, 'g')) ?? [])
    .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
    .join('')}0\r\n\r\n`

describe('a body over 1 MB', () => {
  test('is refused by its announced length, before any of it is read', async () => {
    const { dial, head } = await startEndpoint()
    const connection = await dial()
    connection.send(head(`Content-Length: ${maxBodyBytes + 1}`))
    expect(await connection.answers(1)).toEqual([413])
    expect(connection.heard).toContain('\r\nConnection: close\r\n')
    expect(connection.heard).toContain('"body_too_large"')
  })

  test('that is already on its way does not cost the client the answer', async () => {
    const { dial, head } = await startEndpoint()
    const connection = await dial()
    // Nothing is read before all is sent, as a simple client does.
    connection.socket.pause()
    connection.send(head('Content-Length: 8388608'))
    for (let sent = 0; sent < 8; sent++) {
      await new Promise((resolve) => connection.socket.write(megabyte, resolve))
    }
    connection.socket.resume()
    expect(await connection.answers(1)).toEqual([413])
    expect(connection.heard).toContain('"message"')
    expect(await connection.closed()).toBe(true)
  })

  test('is refused in pieces of unknown number as soon as it is over', async () => {
    const { dial, head, bodyOf } = await startEndpoint()
    const [over, exact] = [await dial(), await dial()]
    const body = bodyOf([]).padEnd(maxBodyBytes)
    over.send(head('Transfer-Encoding: chunked') + chunked(`${body} `, 65_536))
    exact.send(head('Transfer-Encoding: chunked') + chunked(body, 65_536))
    expect(await over.answers(1)).toEqual([413])
    expect(await over.closed()).toBe(true)
    expect(await exact.answers(1)).toEqual([202])
    expect(exact.isClosed).toBe(false)
  })

  test('that never ends is refused, and cut off', async () => {
    const { dial, head } = await startEndpoint()
    const connection = await dial()
    connection.send(head('Transfer-Encoding: chunked'))
    const piece = `100000\r\n${megabyte}\r\n`
    const timer = setInterval(() => connection.send(piece), 20)
    try {
      expect(await connection.answers(1)).toEqual([413])
      expect(await connection.closed()).toBe(true)
    } finally {
      clearInterval(timer)
    }
  })
})

describe('Expect: 100-continue', () => {
  const expectation = 'Expect: 100-continue'

  test('is answered with the refusal, and the body is never asked for', async () => {
    const { dial, head } = await startEndpoint()
    const [large, forged] = [await dial(), await dial()]
    large.send(head(expectation, `Content-Length: ${maxBodyBytes + 1}`))
    forged.send(
      headOf('POST /v1/events', 'Authorization: Bearer x', expectation, 'Content-Length: 2'),
    )
    expect(await large.answers(1)).toEqual([413])
    expect(await forged.answers(1)).toEqual([403])
    expect(forged.heard).toContain('\r\nConnection: close\r\n')
  })

  test('goes on where nothing is wrong so far', async () => {
    const { dial, head, bodyOf, paths } = await startEndpoint()
    const connection = await dial()
    const body = bodyOf([hitOf('/a')])
    connection.send(head(expectation, `Content-Length: ${body.length}`))
    expect(await connection.answers(1)).toEqual([100])
    connection.send(body)
    expect(await connection.answers(2)).toEqual([100, 202])
    expect(await paths()).toEqual(['/a'])
  })
})

describe('a connection', () => {
  test('with requests sent ahead answers each, in order', async () => {
    const { dial, head, bodyOf, paths } = await startEndpoint()
    const connection = await dial()
    const bodies = [bodyOf([hitOf('/1')]), '{', bodyOf([hitOf('/2')]), bodyOf([])]
    const requests = bodies.map((body) => head(`Content-Length: ${body.length}`) + body)
    const unread = headOf('POST /v1/events', 'Content-Length: 5')
    connection.send([...requests, `${unread}12345`, headOf('GET /healthz')].join(''))
    expect(await connection.answers(6)).toEqual([202, 400, 202, 202, 401, 200])
    expect(await paths()).toEqual(['/1', '/2'])
  })

  test('with two different keys in one request is refused, whichever comes first', async () => {
    const { dial, head } = await startEndpoint()
    const connection = await dial()
    const other = 'Authorization: Bearer sk_live_x'
    connection.send(`${head(other, 'Content-Length: 2')}{}`)
    connection.send(`${headOf('POST /v1/events', other, 'Content-Length: 2')}{}`)
    const good = /^Authorization: .*$/m.exec(head())?.[0].trim() ?? ''
    connection.send(`${headOf('POST /v1/events', other, good, 'Content-Length: 2')}{}`)
    connection.send(`${head(good, 'Content-Length: 2')}{}`)
    expect(await connection.answers(4)).toEqual([400, 403, 400, 403])
    const reasons = [...connection.heard.matchAll(/"error":"(\w+)"/g)].map(([, reason]) => reason)
    expect(reasons).toEqual([
      'invalid_request',
      'invalid_signature',
      'invalid_request',
      'missing_site_token',
    ])
  })

  test('takes a body that comes with GET, and ignores it', async () => {
    const { dial } = await startEndpoint()
    const connection = await dial()
    connection.send(`${headOf('GET /healthz', 'Content-Length: 5')}12345${headOf('GET /readyz')}`)
    expect(await connection.answers(2)).toEqual([200, 200])
  })

  test('that breaks off in the middle of a body leaves nothing behind', async () => {
    const { dial, head, bodyOf, metric, post, paths } = await startEndpoint()
    const body = bodyOf([hitOf('/lost')])
    for (const cut of [0, 1, body.length - 1]) {
      const connection = await dial()
      connection.send(head(`Content-Length: ${body.length}`) + body.slice(0, cut))
      await until(async () => cut === 0 || (await metric('held_body_bytes')) >= cut)
      connection.socket.destroy()
      await until(async () => (await metric('held_body_bytes')) === 0)
    }
    expect((await post(bodyOf([hitOf('/kept')]))).status).toBe(202)
    expect(await paths()).toEqual(['/kept'])
  })

  test('over the bound is closed, and taken again once there is room', async () => {
    const { dial, url } = await startEndpoint({ maxConnections: 2 })
    const [first, second, third] = [await dial(), await dial(), await dial()]
    expect(await third.closed()).toBe(true)
    expect([first.isClosed, second.isClosed]).toEqual([false, false])
    first.socket.destroy()
    await until(() =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  })
})

describe('a slow sender', () => {
  test('of headers or a body is cut off after the time that a request has', async () => {
    const { dial, head, metric } = await startEndpoint({ requestTimeoutMs: 300 })
    const slow = await Promise.all([dial(), dial(), dial()])
    slow[1]?.send('POST /v1/events HT')
    slow[2]?.send(`${head('Content-Length: 100')}{`)
    for (const connection of slow) expect(await connection.closed()).toBe(true)
    await until(async () => (await metric('held_body_bytes')) === 0)
  })

  test('holds up nobody, nor do a hundred that announce more than memory holds', async () => {
    // A hundred announce 100 MB. A piece is charged with about 200 bytes, so 500 rounds of them stay under the limit.
    const { dial, head, bodyOf, post } = await startEndpoint({ maxHeldBytes: 20_000_000 })
    const slow = await Promise.all(Array.from({ length: 100 }, () => dial()))
    for (const { send } of slow) send(`${head('Content-Length: 1000000')}{`)
    let rounds = 0
    const dribble = setInterval(() => {
      if (rounds++ < 500) for (const { send } of slow) send(' ')
    }, 5)
    try {
      for (let at = 0; at < 20; at++) expect((await post(bodyOf([hitOf('/a')]))).status).toBe(202)
    } finally {
      clearInterval(dribble)
    }
    expect(slow.filter(({ isClosed }) => isClosed)).toEqual([])
  })

  test('in pieces of one byte is charged for what pieces take up in memory', async () => {
    const { dial, head, metric } = await startEndpoint({ maxHeldBytes: 1_000_000 })
    const connection = await dial()
    connection.send(head('Transfer-Encoding: chunked') + chunked('x'.repeat(100_000), 1))
    expect(await connection.answers(1)).toEqual([503])
    await until(async () => (await metric('held_body_bytes')) === 0)
  })
})

describe('close', () => {
  test('lets requests end that have begun, takes no more, and ends', async () => {
    const { dial, head, bodyOf, close, url, paths } = await startEndpoint()
    const connection = await dial()
    const body = bodyOf([hitOf('/a')])
    connection.send(head(`Content-Length: ${body.length}`) + body.slice(0, 10))
    await until(() => fetch(`${url}/healthz`).then(({ ok }) => ok))
    const closed = close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    connection.send(body.slice(10))
    expect(await connection.answers(1)).toEqual([202])
    expect(connection.heard).toContain('\r\nConnection: close\r\n')
    await closed
    expect(await paths()).toEqual(['/a'])
  })

  if (isSoak) {
    test('waits for no client that does not end', async () => {
      const { dial, head, close } = await startEndpoint()
      const [silent, slow] = [await dial(), await dial()]
      slow.send(`${head('Content-Length: 100')}{`)
      await close()
      expect(await silent.closed()).toBe(true)
      expect(await slow.closed()).toBe(true)
    })
  }
})

test('a body may begin with a byte order mark, short or long', async () => {
  const { bodyOf, post, paths } = await startEndpoint()
  const long = Array.from({ length: 200 }, (_, at) => hitOf(`/long/${at}`))
  for (const events of [[hitOf('/short')], long]) {
    expect((await post(`\ufeff${bodyOf(events)}`)).status).toBe(202)
  }
  expect(await paths()).toHaveLength(201)
})

describe('what the HTTP parser refuses', () => {
  test.each([
    ['a space in the path', 400, 'invalid_request', headOf('GET /a b')],
    ['UTF-8 in the query', 400, 'invalid_request', headOf('GET /healthz?ü')],
    ['a method in lower case', 400, 'invalid_request', headOf('post /v1/events')],
    ['headers of 20 kB', 431, 'headers_too_large', headOf('GET /', `X: ${'x'.repeat(20_000)}`)],
    ['an unknown expectation', 417, 'invalid_request', headOf('GET /', 'Expect: tea')],
    ['a head that never ends', 408, 'request_timeout', 'GET / HTTP/1.1\r\n'],
  ])('has a reason and a text, and is counted: %s', async (_name, status, reason, bytes) => {
    const { dial, url } = await startEndpoint({ requestTimeoutMs: 500 })
    const connection = await dial()
    connection.send(bytes)
    expect(await connection.answers(1)).toEqual([status])
    const [head = '', body = ''] = connection.heard.split('\r\n\r\n')
    expect(head).toMatch(/\r\nContent-Type: application\/json\r\n/)
    expect(JSON.parse(body)).toEqual({ error: reason, message: expect.stringMatching(/\.$/) })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain(`sightline_tracker_requests_total{status="${status}"} 1`)
  })
})
