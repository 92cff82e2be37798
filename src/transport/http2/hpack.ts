import { decodeHuffman } from "./huffman";
import { ConnectionError, ERROR } from "./protocol";

/** The headers of a request by their names, which are in lower case. Of several with one name, the last. */
export type Headers = ReadonlyMap<string, string>;
type Header = readonly [name: string, value: string];

/** RFC 7541, appendix A; the first one has the number 1. */
const STATIC: readonly Header[] = (
  ":authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|" +
  ":status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|" +
  "accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|" +
  "content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|" +
  "cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|" +
  "last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|" +
  "server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate"
)
  .split("|")
  .map((line) => [line.split(" ", 1)[0]!, line.split(" ").slice(1).join(" ")]);

/** How much the table of one connection may hold (RFC 9113, section 6.5.2), and what each entry counts beside its text. */
const TABLE_SIZE = 4096;
const ENTRY_SIZE = 32;

/**
 * Reads the blocks of headers that one connection brings (RFC 7541): all of them in their order, as each may refer to
 * what an earlier one said.
 */
export class HeaderDecoder {
  /** The newest first. */
  readonly #table: Header[] = [];
  #size = 0;
  #limit = TABLE_SIZE;

  /** @throws ConnectionError where the block is broken */
  decode(block: Uint8Array): Headers {
    const headers = new Map<string, string>();
    const reader = new BlockReader(block);
    while (!reader.isAtEnd) {
      const header = this.#readHeader(reader);
      if (header !== undefined) headers.set(header[0], header[1]);
    }
    return headers;
  }

  /** Section 6: the first bits of the next byte say what comes. */
  #readHeader(reader: BlockReader): Header | undefined {
    const byte = reader.peek();
    if (byte >= 0x80) return this.#entry(reader.integer(7));
    if (byte >= 0x40) return this.#remember(this.#readLiteral(reader, 6));
    if (byte < 0x20) return this.#readLiteral(reader, 4);
    const limit = reader.integer(5);
    if (limit > TABLE_SIZE) throw broken("a table of headers larger than was agreed on");
    this.#limit = limit;
    this.#evict();
    return undefined;
  }

  #readLiteral(reader: BlockReader, prefix: number): Header {
    const index = reader.integer(prefix);
    const name = index === 0 ? reader.text() : this.#entry(index)[0];
    return [name, reader.text()];
  }

  #entry(index: number): Header {
    const entry = index <= STATIC.length ? STATIC[index - 1] : this.#table[index - STATIC.length - 1];
    if (entry === undefined) throw broken(`there is no header with the number ${index}`);
    return entry;
  }

  #remember(header: Header): Header {
    this.#table.unshift(header);
    this.#size += sizeOf(header);
    this.#evict();
    return header;
  }

  #evict(): void {
    while (this.#size > this.#limit) this.#size -= sizeOf(this.#table.pop()!);
  }
}

const sizeOf = ([name, value]: Header): number => name.length + value.length + ENTRY_SIZE;

/** The parts of which a block is made (section 5). */
class BlockReader {
  readonly #block: Uint8Array;
  #position = 0;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#block.length;
  }

  peek(): number {
    const byte = this.#block[this.#position];
    if (byte === undefined) throw broken("the headers end too early");
    return byte;
  }

  /** What does not fit into the last bits of the first byte goes on in sevens, the lowest first. */
  integer(prefix: number): number {
    const most = 2 ** prefix - 1;
    let value = this.#next() & most;
    if (value < most) return value;
    for (let factor = 1; factor <= 2 ** 21; factor *= 128) {
      const byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw broken("a number of more than four bytes");
  }

  text(): string {
    const isHuffman = this.peek() >= 0x80;
    const length = this.integer(7);
    const begin = this.#position;
    this.#position += length;
    if (this.#position > this.#block.length) throw broken("the headers end too early");
    const bytes = this.#block.subarray(begin, this.#position);
    return isHuffman ? decodeHuffman(bytes) : Buffer.from(bytes).toString("latin1");
  }

  #next(): number {
    const byte = this.peek();
    this.#position += 1;
    return byte;
  }
}

const broken = (what: string): ConnectionError => new ConnectionError(ERROR.COMPRESSION_ERROR, what);

/** A block of headers that nothing which is said later can change, so that it may be made once and sent often. */
export const encodeHeaders = (headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(Object.entries(headers).flatMap(([name, value]) => encodeHeader(name, value)));

function encodeHeader(name: string, value: string): Buffer[] {
  const index = STATIC.findIndex(([known, held]) => known === name && held === value);
  return index === -1
    ? [LITERAL, ...encodeText(name), ...encodeText(value)]
    : [Buffer.of(0x80 | (index + 1))];
}

/** A header that is not to be remembered, with a name that stands in no table. */
const LITERAL = Buffer.of(0);

function encodeText(text: string): [Buffer, Buffer] {
  const bytes = Buffer.from(text, "latin1");
  if (bytes.length < 127) return [Buffer.of(bytes.length), bytes];
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push(128 | (rest % 128));
  return [Buffer.of(...length, rest), bytes];
}
