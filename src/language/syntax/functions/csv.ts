import { FunctionError } from "./function";

/** Reads comma-separated values (RFC 4180): quotes double inside quotes, blank lines do not count. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const reader = new CsvReader(text.replaceAll("\r\n", "\n"));
  for (let row = reader.row(); row !== undefined; row = reader.row()) rows.push(row);
  return rows;
}

class CsvReader {
  private position = 0;
  private line = 1;

  constructor(private readonly text: string) {}

  row(): string[] | undefined {
    while (this.text[this.position] === "\n") this.advance(1);
    if (this.position >= this.text.length) return undefined;
    const fields = [this.field()];
    while (this.text[this.position] === ",") {
      this.position += 1;
      fields.push(this.field());
    }
    this.advance(1);
    return fields;
  }

  private advance(count: number): void {
    this.position += count;
    this.line += 1;
  }

  private field(): string {
    if (this.text[this.position] === '"') return this.quoted();
    const start = this.position;
    while (this.position < this.text.length && !",\n".includes(this.text[this.position]!)) {
      if (this.text[this.position] === '"')
        throw this.error("a quote stands inside a field that does not begin with one");
      this.position += 1;
    }
    return this.text.slice(start, this.position);
  }

  private quoted(): string {
    let value = "";
    this.position += 1;
    for (;;) {
      const end = this.text.indexOf('"', this.position);
      if (end < 0) throw this.error("a quote is not closed");
      value += this.text.slice(this.position, end);
      this.position = end + 1;
      const next = this.text[this.position];
      if (next === undefined || next === "," || next === "\n") return value;
      if (next !== '"') throw this.error("a quote ends before the field does");
      value += '"';
      this.position += 1;
    }
  }

  private error(what: string): FunctionError {
    return new FunctionError(`on line ${this.line} ${what}`, 0);
  }
}
