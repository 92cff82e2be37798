import { ConnectionError, ERROR } from "./protocol";

/**
 * The symbols that have a code of so many bits (RFC 7541, appendix B). Nothing else has to be known of the codes: they
 * count up, first by their length and then by the symbol. The last one is the end of a text, which is never sent.
 */
const SYMBOLS: Readonly<Record<number, string | readonly number[]>> = {
  5: "012aceiost",
  6: " %-./3456789=A_bdfghlmnpru",
  7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz",
  8: "&*,;XZ",
  10: '!"()?',
  11: "'+|",
  12: "#>",
  13: "\0$@[]~",
  14: "^}",
  15: "<`{",
  19: [92, 195, 208],
  20: [128, 130, 131, 162, 184, 194, 224, 226],
  21: [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230],
  22: [
    129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190,
    196, 198, 228, 232, 233,
  ],
  23: [
    1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175,
    180, 182, 183, 188, 191, 197, 231, 239,
  ],
  24: [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237],
  25: [199, 207, 234, 235],
  26: [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255],
  27: [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254],
  28: [
    2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220,
    249,
  ],
  30: [10, 13, 22, 256],
};
const END_OF_TEXT = 256;
const LONGEST = 30;

interface CodesOfOneLength {
  readonly first: number;
  readonly symbols: readonly number[];
}

const CODES: readonly CodesOfOneLength[] = codesByLength();

function codesByLength(): CodesOfOneLength[] {
  let next = 0;
  return Array.from({ length: LONGEST + 1 }, (_, length) => {
    const listed = SYMBOLS[length] ?? [];
    const symbols = typeof listed === "string" ? [...Buffer.from(listed)] : listed;
    next *= 2;
    const first = next;
    next += symbols.length;
    return { first, symbols };
  });
}

/**
 * Reads a text in the code of HPACK.
 *
 * @throws ConnectionError where it holds the end of a text, or is not filled up with the begin of that (section 5.2)
 */
export function decodeHuffman(bytes: Uint8Array): string {
  const text: number[] = [];
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      const { first, symbols } = CODES[length]!;
      const symbol = symbols[code - first];
      if (symbol === undefined) continue;
      if (symbol === END_OF_TEXT) throw broken("the end of a text stands within a text");
      text.push(symbol);
      code = 0;
      length = 0;
    }
  }
  if (length > 7 || code !== 2 ** length - 1) throw broken("the last byte of a text is filled up wrongly");
  return Buffer.from(text).toString("latin1");
}

const broken = (what: string): ConnectionError => new ConnectionError(ERROR.COMPRESSION_ERROR, what);
