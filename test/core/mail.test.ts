import { expect, test } from 'vitest'
import { renderMail } from '../../core/mail/template.ts'

test('what a name holds stays text, on one line, in both parts', () => {
  const name = `<script>alert("1")</script> & Co\r\nBcc: all@example.com\u202e ${'x'.repeat(10_000)}`
  const { subject, text, html } = renderMail({
    subject: `Join ${name}`,
    blocks: [
      { kind: 'text', text: name },
      { kind: 'facts', facts: [{ label: name, value: '1' }] },
      { kind: 'list', items: [{ text: name, url: 'https://example.com/?a=1&b="2"' }] },
    ],
    footer: name,
  })
  expect(subject).toMatch(/^Join <script>alert\("1"\)<\/script> & Co Bcc: all@example.com x+…$/)
  expect(subject).toHaveLength(150)
  expect(html).not.toContain('<script')
  expect(html).not.toContain('\u202e')
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Co Bcc: all')
  expect(html).toContain('href="https://example.com/?a=1&amp;b=&quot;2&quot;"')
  expect(text).not.toMatch(/^Bcc:/m)
  expect(text).not.toMatch(/x{2001}/)
  expect(html).not.toMatch(/<img|<script|src=|@import|url\(/)
})
