import { describe, expect, it } from 'vitest'
import { CsvError, readCsv } from './csv.js'

describe('readCsv', () => {
  it('reads quotes as Python does', () => {
    expect(readCsv('a,"b,""c""",d\n')).toEqual([['a', 'b,"c"', 'd']])
    expect(readCsv('a "b", "c"\n"x"y,z')).toEqual([
      ['a "b"', ' "c"'],
      ['xy', 'z'],
    ])
    expect(readCsv('"a\nb",c')).toEqual([['a\nb', 'c']])
    expect(readCsv('"""a""",b')).toEqual([['"a"', 'b']])
  })

  it('keeps empty lines and fields', () => {
    expect(readCsv('a,\n\n,')).toEqual([['a', ''], [], ['', '']])
    expect(readCsv('')).toEqual([])
    expect(readCsv('""\n')).toEqual([['']])
  })

  it('gives what an unclosed quote has gathered', () => {
    expect(readCsv('a,"b\nc')).toEqual([['a', 'b\nc']])
  })

  it('takes another delimiter', () => {
    expect(readCsv('a,b\tc', '\t')).toEqual([['a,b', 'c']])
  })

  it('takes line ends of all kinds but no carriage return inside a line', () => {
    expect(readCsv('a\r\nb\n')).toEqual([['a'], ['b']])
    expect(() => readCsv('a\rb\n')).toThrow(CsvError)
  })

  it('refuses a field over the limit', () => {
    expect(() => readCsv('x'.repeat(131073))).toThrow(CsvError)
  })
})
