/** A text that Python's csv module refuses. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
  readonly code = 'csv'
}

const LONGEST_FIELD = 131072

/**
 * `list(csv.reader(io.StringIO(text), delimiter=delimiter))` of Python: quotes count only at the start of a field, two of
 * them inside are one, an empty line is a row without fields, and what follows a closing quote is kept.
 * Source: CPython Modules/_csv.c.
 * @throws CsvError for a carriage return in the middle of a line, or a field over 131,072 characters
 */
export function readCsv(text: string, delimiter = ','): string[][] {
  const reader = new RowReader(delimiter)
  for (const line of text.match(/[^\n]*\n|[^\n]+/g) ?? []) reader.line(line)
  return reader.finished()
}

/** Where the reader stands: before a row, before a field, in a bare or a quoted field, after a quote, after the row. */
type Place = 'row' | 'field' | 'bare' | 'quoted' | 'quote' | 'end'

class RowReader {
  readonly #rows: string[][] = []
  #row: string[] = []
  #field = ''
  #place: Place = 'row'

  constructor(readonly delimiter: string) {}

  line(text: string): void {
    for (const character of text) this.#take(character)
    if (this.#place === 'quoted') return
    if (this.#place !== 'row' && this.#place !== 'end') this.#saveField()
    this.#saveRow()
  }

  finished(): string[][] {
    // Python gives what an unclosed quote has gathered.
    if (this.#place === 'quoted') {
      this.#saveField()
      this.#saveRow()
    }
    return this.#rows
  }

  #saveField(): void {
    this.#row.push(this.#field)
    this.#field = ''
  }

  #saveRow(): void {
    this.#rows.push(this.#row)
    this.#row = []
    this.#place = 'row'
  }

  #add(character: string, place: Place): void {
    this.#field += character
    this.#place = place
    if (this.#field.length > LONGEST_FIELD) throw new CsvError('a field is larger than the limit')
  }

  #take(character: string): void {
    const place = this.#place
    if (place === 'quoted') {
      if (character === '"') this.#place = 'quote'
      else this.#add(character, 'quoted')
      return
    }
    if (character === '"' && place === 'quote') this.#add(character, 'quoted')
    else if (character === '\n' || character === '\r') {
      if (place !== 'row' && place !== 'end') this.#saveField()
      this.#place = 'end'
    } else if (place === 'end') throw new CsvError('new-line character seen in unquoted field')
    else if (character === this.delimiter) {
      this.#saveField()
      this.#place = 'field'
    } else if (character === '"' && (place === 'row' || place === 'field')) this.#place = 'quoted'
    else this.#add(character, 'bare')
  }
}
