import { encodeHeaders, HeaderDecoder } from "../../../src/transport/http2/hpack";
import { decodeHuffman } from "../../../src/transport/http2/huffman";

// The examples of RFC 7541, appendix C, and what its text says else.

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");
const decodeAll = (...blocks: readonly string[]): (readonly (readonly [string, string])[])[] => {
  const decoder = new HeaderDecoder();
  return blocks.map((block) => [...decoder.decode(bytes(block))]);
};

test.each([
  [
    "C.2.1: a literal that is remembered",
    "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
    ["custom-key", "custom-header"],
  ],
  ["C.2.2: a literal that is not", "040c 2f73 616d 706c 652f 7061 7468", [":path", "/sample/path"]],
  ["C.2.3: one that never may be", "1008 7061 7373 776f 7264 0673 6563 7265 74", ["password", "secret"]],
  ["C.2.4: one of the static table", "82", [":method", "GET"]],
])("%s", (_, block, header) => {
  expect(decodeAll(block)).toEqual([[header]]);
});

const FIRST = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "www.example.com"],
];
const SECOND = [...FIRST, ["cache-control", "no-cache"]];
const THIRD = [
  [":method", "GET"],
  [":scheme", "https"],
  [":path", "/index.html"],
  [":authority", "www.example.com"],
  ["custom-key", "custom-value"],
];

test("C.3: three requests of one connection refer to each other", () => {
  expect(
    decodeAll(
      "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
      "8286 84be 5808 6e6f 2d63 6163 6865",
      "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ),
  ).toEqual([FIRST, SECOND, THIRD]);
});

test("C.4: the same in Huffman's code", () => {
  expect(
    decodeAll(
      "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
      "8286 84be 5886 a8eb 1064 9cbf",
      "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ),
  ).toEqual([FIRST, SECOND, THIRD]);
});

test("C.6: a table of 256 bytes forgets the oldest", () => {
  const date = (seconds: number) => ["date", `Mon, 21 Oct 2013 20:13:${seconds} GMT`];
  const location = ["location", "https://www.example.com"];
  const cookie = ["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"];
  expect(
    decodeAll(
      "3fe1 01 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
      "4883 640e ffc1 c0bf",
      "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    ),
  ).toEqual([
    [[":status", "302"], ["cache-control", "private"], date(21), location],
    [[":status", "307"], ["cache-control", "private"], date(21), location],
    [
      [":status", "200"],
      ["cache-control", "private"],
      date(22),
      location,
      ["content-encoding", "gzip"],
      cookie,
    ],
  ]);
});

test("a table that is set to nothing forgets all", () => {
  const decoder = new HeaderDecoder();
  decoder.decode(bytes("4001 6101 62"));
  expect([...decoder.decode(bytes("be"))]).toEqual([["a", "b"]]);
  decoder.decode(bytes("20"));
  expect(() => decoder.decode(bytes("be"))).toThrow("there is no header with the number 62");
});

test.each([
  ["the number zero", "80", "there is no header with the number 0"],
  ["a number beyond both tables", "be", "there is no header with the number 62"],
  ["a table larger than was agreed on", "3fe2 1f", "a table of headers larger than was agreed on"],
  ["a text that ends too early", "400a 6375", "the headers end too early"],
  ["a name without a value", "4001 61", "the headers end too early"],
  ["a number that ends too early", "7f80", "the headers end too early"],
  ["a number that never ends", "7f80 8080 8080 8080 01", "a number of more than four bytes"],
  ["the end of a text within a text", "4001 6184 ffff ffff", "the end of a text stands within a text"],
  ["a text filled up with a whole byte", "4001 6182 1fff", "the last byte of a text is filled up wrongly"],
  ["a text filled up with zeros", "4001 6181 18", "the last byte of a text is filled up wrongly"],
])("%s breaks the connection", (_, block, message) => {
  expect(() => decodeAll(block)).toThrow(
    expect.objectContaining({ name: "ConnectionError", code: 9, message }),
  );
});

// All others follow from these: codes of one length count up with the symbol.
test.each([
  [48, 0x0, 5],
  [116, 0x9, 5],
  [32, 0x14, 6],
  [117, 0x2d, 6],
  [58, 0x5c, 7],
  [122, 0x7b, 7],
  [38, 0xf8, 8],
  [90, 0xfd, 8],
  [33, 0x3f8, 10],
  [63, 0x3fc, 10],
  [39, 0x7fa, 11],
  [124, 0x7fc, 11],
  [35, 0xffa, 12],
  [62, 0xffb, 12],
  [0, 0x1ff8, 13],
  [126, 0x1ffd, 13],
  [94, 0x3ffc, 14],
  [125, 0x3ffd, 14],
  [60, 0x7ffc, 15],
  [123, 0x7ffe, 15],
  [92, 0x7fff0, 19],
  [208, 0x7fff2, 19],
  [128, 0xfffe6, 20],
  [226, 0xfffed, 20],
  [153, 0x1fffdc, 21],
  [230, 0x1fffe8, 21],
  [129, 0x3fffd2, 22],
  [233, 0x3fffeb, 22],
  [1, 0x7fffd8, 23],
  [239, 0x7ffff4, 23],
  [9, 0xffffea, 24],
  [237, 0xfffff5, 24],
  [199, 0x1ffffec, 25],
  [235, 0x1ffffef, 25],
  [192, 0x3ffffe0, 26],
  [255, 0x3ffffee, 26],
  [203, 0x7ffffde, 27],
  [254, 0x7fffff0, 27],
  [2, 0xfffffe2, 28],
  [249, 0xffffffe, 28],
  [10, 0x3ffffffc, 30],
  [22, 0x3ffffffe, 30],
])("appendix B: the code of the byte %i", (byte, code, length) => {
  const bits = code.toString(2).padStart(length, "0");
  const filled = bits.padEnd(Math.ceil(length / 8) * 8, "1");
  const sent = Buffer.from(filled.match(/.{8}/g)!.map((each) => Number.parseInt(each, 2)));
  expect(decodeHuffman(sent)).toBe(Buffer.of(byte).toString("latin1"));
});

test("what is sent is read again, and refers to nothing that was said before", () => {
  const headers = { ":status": "200", "content-type": "application/grpc", long: "x".repeat(100_000) };
  const block = encodeHeaders(headers);
  expect(block[0]).toBe(0x88);
  for (const decoder of [new HeaderDecoder(), new HeaderDecoder()])
    for (let time = 0; time < 2; time += 1)
      expect(Object.fromEntries(decoder.decode(block))).toEqual(headers);
});

test.each([0, 1, 126, 127, 128, 254, 255, 16_510, 16_511])("a text of %i letters is read again", (length) => {
  const headers = { name: "v".repeat(length) };
  expect(Object.fromEntries(new HeaderDecoder().decode(encodeHeaders(headers)))).toEqual(headers);
});
