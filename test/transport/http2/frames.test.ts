import { FrameReader } from "../../../src/transport/http2/frames";
import { frame, PREFACE, setting } from "../support/raw-http2";

const SENT = Buffer.concat([
  PREFACE,
  frame(4, 0, 0, Buffer.concat([setting(4, 1), setting(5, 20_000)])),
  frame(0, 1, 3, Buffer.from("a body")),
  frame(0, 0, 3),
  frame(1, 5, 0x7fff_ffff, Buffer.alloc(300, 7)),
]);

function read(...pieces: readonly Buffer[]): unknown[] {
  const found: unknown[] = [];
  const reader = new FrameReader((...each) => found.push(each));
  for (const piece of pieces) reader.read(piece);
  return found;
}

const WHOLE = [
  [4, 0, 0, Buffer.concat([setting(4, 1), setting(5, 20_000)])],
  [0, 1, 3, Buffer.from("a body")],
  [0, 0, 3, Buffer.alloc(0)],
  [1, 5, 0x7fff_ffff, Buffer.alloc(300, 7)],
];

test("frames that come in one piece are all found", () => {
  expect(read(SENT)).toEqual(WHOLE);
});

test("cut in two at any byte they are the same", () => {
  for (let at = 0; at <= SENT.length; at += 1)
    expect(read(SENT.subarray(0, at), SENT.subarray(at))).toEqual(WHOLE);
});

test("they are the same byte by byte", () => {
  expect(read(...Array.from(SENT, (byte) => Buffer.of(byte)))).toEqual(WHOLE);
});

test("a frame is told as soon as it is whole, and not before", () => {
  const found: unknown[] = [];
  const reader = new FrameReader((...each) => found.push(each));
  const end = PREFACE.length + 9 + 12;
  reader.read(SENT.subarray(0, end - 1));
  expect(found).toHaveLength(0);
  reader.read(SENT.subarray(end - 1, end));
  expect(found).toHaveLength(1);
});

test("the first bit of a stream's number means nothing", () => {
  expect(read(PREFACE, frame(0, 0, 0x8000_0005))).toEqual([[0, 0, 5, Buffer.alloc(0)]]);
});

test("who speaks something else is found out at the first byte that differs", () => {
  expect(() => read(Buffer.from("G"))).toThrow("the client does not speak HTTP/2");
  expect(() => read(PREFACE.subarray(0, 20), Buffer.from("X"))).toThrow("the client does not speak HTTP/2");
});
