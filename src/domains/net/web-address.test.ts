import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NetError } from './net-error.js'
import { hostOf, webAddress } from './web-address.js'

const codeOf = (text: string, base?: URL): string => {
  try {
    return webAddress(text, base).href
  } catch (error) {
    return error instanceof NetError ? error.code : `threw ${error}`
  }
}

describe('webAddress', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c'],
    ['example.org', 'https://example.org/'],
    ['  example.org:8080/x ', 'https://example.org:8080/x'],
    ['HTTP://Example.ORG', 'http://example.org/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['http://93.184.216.34/', 'http://93.184.216.34/'],
    ['http://[2606:4700::0001]/', 'http://[2606:4700::1]/'],
    ['https://example.org/a@b', 'https://example.org/a@b'],
  ])('reads %s', (text, href) => {
    expect(codeOf(text)).toBe(href)
  })

  it.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://8.8.2056/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::808:808]/',
    'http://example.org./',
    'http://127.0.0.1./',
    'http://user@example.org/',
    'http://user:word@example.org/',
    'http://@example.org/',
    'http://example.org\\@10.0.0.1/',
    'http:example.org',
    'http:/example.org',
    'http:///example.org',
    'http://exa mple.org/',
    'http://example.org/\u0000',
    'http://example.org:25/',
    'http://example.org:99999/',
    'localhost',
    '../../etc/passwd',
    '42',
    '',
    `https://example.org/${'x'.repeat(5000)}`,
  ])('refuses %j', (text) => {
    expect(codeOf(text)).toBe('address')
  })

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'gopher://example.org',
  ])('opens no %s', (text) => {
    expect(codeOf(text)).toBe('scheme')
  })

  it('holds for redirects too', () => {
    const base = new URL('https://example.org/a/b')
    expect(codeOf('../c', base)).toBe('https://example.org/c')
    expect(codeOf('?q=1', base)).toBe('https://example.org/a/b?q=1')
    expect(codeOf('//other.example/x', base)).toBe('https://other.example/x')
    expect(codeOf('//2130706433/x', base)).toBe('address')
    expect(codeOf('//u:p@other.example/x', base)).toBe('address')
    expect(codeOf('file:///etc/passwd', base)).toBe('scheme')
    expect(codeOf('javascript:1', base)).toBe('scheme')
  })

  it('gives an address or a typed error for any text, and never one with a user name', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((s) => `http://${s}`),
        ),
        (text) => {
          try {
            const url = webAddress(text)
            expect(url.protocol).toMatch(/^https?:$/)
            expect(url.username + url.password).toBe('')
          } catch (error) {
            expect(error).toBeInstanceOf(NetError)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('shows no password in its error', () => {
    expect(() => webAddress('http://me:hunter2@example.org/')).toThrow(NetError)
    try {
      webAddress('http://me:hunter2@example.org/')
    } catch (error) {
      expect(String(error)).not.toContain('hunter2')
    }
  })
})

describe('hostOf', () => {
  it('names host and port, or nothing', () => {
    expect(hostOf('example.org/x')).toBe('example.org')
    expect(hostOf('http://example.org:8080')).toBe('example.org:8080')
    expect(hostOf('nonsense')).toBeUndefined()
  })
})
