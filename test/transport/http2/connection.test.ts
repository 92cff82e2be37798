import { encodeHeaders } from "../../../src/transport/http2/hpack";
import {
  answer,
  block,
  FLAG,
  Http2Server,
  KIND,
  RESPONSE,
  request,
  TRAILERS,
  told,
} from "../support/http2-server";
import { frame, PREFACE, setting, uint32 } from "../support/raw-http2";

// RFC 9113 from the client's side, frame by frame. Numbers of sections are its.

const { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } = KIND;

let server: Http2Server;
beforeEach(() => {
  server = new Http2Server();
});
afterEach(() => server.end());

test("6.5, 6.9: the server begins with its settings: the client may send as much as there can be", async () => {
  const client = await server.client();
  client.send(PREFACE, frame(SETTINGS, 0, 0));
  expect(await client.next()).toEqual({
    kind: SETTINGS,
    flags: 0,
    stream: 0,
    payload: setting(4, 2 ** 31 - 1),
  });
  expect(await client.next()).toEqual({
    kind: WINDOW_UPDATE,
    flags: 0,
    stream: 0,
    payload: uint32(2 ** 31 - 1 - 65_535),
  });
  expect(await client.next()).toEqual({
    kind: SETTINGS,
    flags: FLAG.ACK,
    stream: 0,
    payload: Buffer.alloc(0),
  });
});

test("8.1: an answer is headers, a body, and trailers that end it", async () => {
  const client = await server.greeted();
  client.send(request(1, "/5"));
  const frames = await client.untilPing();
  expect(told(frames)).toEqual(["1: headers", "1: data 5", "1: headers, last"]);
  expect(frames.map(({ payload }) => payload)).toEqual([RESPONSE, Buffer.from("xxxxx"), TRAILERS]);
});

test("8.1: an answer may be headers alone", async () => {
  const client = await server.greeted();
  client.send(request(1, "/later"));
  await client.untilPing();
  server.asked[0]!.stream.answer({ headers: RESPONSE });
  expect(told(await client.untilPing())).toEqual(["1: headers, last"]);
});

test("8.1: of a request that was answered before it was whole, the rest is not wanted", async () => {
  const client = await server.greeted();
  client.send(request(1, "/0", FLAG.END_HEADERS));
  const frames = await client.untilPing();
  expect(told(frames)).toEqual(["1: headers", "1: headers, last", "1: reset"]);
  expect(frames.at(-1)?.payload).toEqual(uint32(0));
  client.send(frame(DATA, FLAG.END_STREAM, 1, Buffer.from("too late")), request(3, "/0"));
  expect(told(await client.untilPing())).toEqual(["3: headers", "3: headers, last"]);
});

test("a body comes in as many frames as it likes, the last of which may be empty", async () => {
  const client = await server.greeted();
  client.send(request(1, "/later", FLAG.END_HEADERS), frame(DATA, 0, 1, Buffer.from("a ")));
  client.send(frame(DATA, 0, 1, Buffer.from("body")), frame(DATA, FLAG.END_STREAM, 1));
  await client.untilPing();
  expect(server.asked).toMatchObject([{ body: "a body", isWhole: true }]);
});

test("8.1: trailers may end a request, too", async () => {
  const client = await server.greeted();
  client.send(
    request(1, "/later", FLAG.END_HEADERS),
    frame(HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, TRAILERS),
  );
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", isWhole: true }]);
});

test("6.1, 6.2: padding and priority are left out", async () => {
  const client = await server.greeted();
  const padded = (content: Buffer) => Buffer.concat([Buffer.of(3), content, Buffer.alloc(3)]);
  const priority = Buffer.from([0, 0, 0, 0, 16]);
  client.send(
    frame(
      HEADERS,
      FLAG.END_HEADERS | FLAG.PADDED | FLAG.PRIORITY,
      1,
      padded(Buffer.concat([priority, block("/later")])),
    ),
    frame(DATA, FLAG.PADDED, 1, padded(Buffer.from("body"))),
    frame(DATA, FLAG.PADDED | FLAG.END_STREAM, 1, padded(Buffer.alloc(0))),
  );
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", body: "body", isWhole: true }]);
});

test("6.10: headers go on in as many frames as they like", async () => {
  const client = await server.greeted();
  const bytes = [...block("/later")].map((byte) => Buffer.of(byte));
  client.send(frame(HEADERS, FLAG.END_STREAM, 1), ...bytes.map((byte) => frame(CONTINUATION, 0, 1, byte)));
  client.send(frame(CONTINUATION, FLAG.END_HEADERS, 1));
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", isWhole: true }]);
});

test("4.3: headers that nobody waits for are read all the same, as later ones refer to them", async () => {
  const client = await server.greeted();
  const remembered = Buffer.concat([Buffer.of(0x40), encodeHeaders({ ":path": "/7" }).subarray(1)]);
  client.send(request(1, "/0"), frame(HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, remembered));
  client.send(frame(HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 3, Buffer.of(0x80 | 62)));
  expect(told(await client.untilPing()).slice(-2)).toEqual(["3: data 7", "3: headers, last"]);
});

test("6.7: a ping comes back as it was, and the answer to one is not answered", async () => {
  const client = await server.greeted();
  client.send(frame(PING, FLAG.ACK, 0, Buffer.from("an echo.")), frame(PING, 0, 0, Buffer.from("12345678")));
  expect(await client.next()).toEqual({
    kind: PING,
    flags: FLAG.ACK,
    stream: 0,
    payload: Buffer.from("12345678"),
  });
});

test("5.3, 5.5, 6.8: what changes nothing is passed over", async () => {
  const client = await server.greeted();
  client.send(
    frame(PRIORITY, 0, 1, Buffer.alloc(5)),
    frame(0xfe, 0xff, 12, Buffer.from("a kind that may be invented yet")),
    frame(SETTINGS, 0, 0, Buffer.concat([setting(0xfe, 7), setting(3, 0), setting(2, 0)])),
    frame(GOAWAY, 0, 0, Buffer.alloc(8)),
    request(1, "/1"),
  );
  expect(told(await client.untilPing())).toEqual([
    "0: settings",
    "1: headers",
    "1: data 1",
    "1: headers, last",
  ]);
});

test("6.4: who gives up gets no more of the answer, and none that is made later", async () => {
  const client = await server.greeted(setting(4, 10));
  client.send(request(1, "/20"), request(3, "/later"), request(5, "/3"));
  await client.untilPing();
  client.send(frame(RST_STREAM, 0, 1, uint32(8)), frame(RST_STREAM, 0, 3, uint32(8)));
  client.send(frame(WINDOW_UPDATE, 0, 1, uint32(100)), frame(RST_STREAM, 0, 5, uint32(8)));
  expect(await client.untilPing()).toEqual([]);
  answer(server.asked[1]!.stream, Buffer.alloc(1));
  expect(await client.untilPing()).toEqual([]);
});

test("the end: what was answered is sent, and which request was the last that was looked at", async () => {
  const client = await server.greeted();
  client.send(request(1, "/later"), request(3, "/later"));
  await client.untilPing();
  answer(server.asked[0]!.stream, Buffer.alloc(1));
  server.connection.end();
  const frames = [await client.next(), await client.next(), await client.next(), await client.next()];
  expect(told(frames)).toEqual(["1: headers", "1: data 1", "1: headers, last", "0: go away"]);
  expect(frames[3]?.payload).toEqual(Buffer.concat([uint32(3), uint32(0)]));
  await client.closed;
  answer(server.asked[1]!.stream, Buffer.alloc(1));
});
