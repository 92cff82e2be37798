import { Http2Server, KIND, request, told } from "../support/http2-server";
import { frame, setting, uint32 } from "../support/raw-http2";

// RFC 9113, sections 5.2 and 6.9.

const { DATA, SETTINGS, WINDOW_UPDATE } = KIND;

let server: Http2Server;
beforeEach(() => {
  server = new Http2Server();
});
afterEach(() => server.end());

describe("5.2, 6.9: no more is sent than the client takes", () => {
  test("of a stream; the settings say how much at first", async () => {
    const client = await server.greeted(setting(4, 10));
    client.send(request(1, "/25"));
    expect(told(await client.untilPing())).toEqual(["1: headers", "1: data 10"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(4)));
    expect(told(await client.untilPing())).toEqual(["1: data 4"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(100)));
    expect(told(await client.untilPing())).toEqual(["1: data 11", "1: headers, last"]);
  });

  test("of all streams together, and one that waits keeps no other one back", async () => {
    const client = await server.greeted(setting(4, 60_000));
    client.send(request(1, "/60001"), request(3, "/6000"));
    const sent = await client.untilPing();
    const lengths = (id: number) =>
      sent.filter(({ kind, stream }) => kind === DATA && stream === id).map(({ payload }) => payload.length);
    expect(lengths(1)).toEqual([16_384, 16_384, 16_384, 10_848]);
    expect(lengths(3)).toEqual([5_535]);
    client.send(frame(WINDOW_UPDATE, 0, 0, uint32(1000)));
    expect(told(await client.untilPing())).toEqual(["3: data 465", "3: headers, last"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(1)));
    expect(told(await client.untilPing())).toEqual(["1: data 1", "1: headers, last"]);
  });

  test("a window may become negative by new settings, which hold for open streams, too", async () => {
    const client = await server.greeted(setting(4, 10));
    client.send(request(1, "/30"));
    await client.untilPing();
    client.send(frame(SETTINGS, 0, 0, setting(4, 5)), frame(WINDOW_UPDATE, 0, 1, uint32(5)));
    expect(told(await client.untilPing())).toEqual(["0: settings"]);
    client.send(frame(SETTINGS, 0, 0, setting(4, 8)));
    expect(told(await client.untilPing())).toEqual(["1: data 3", "0: settings"]);
  });

  test("an empty body needs no window", async () => {
    const client = await server.greeted(setting(4, 0));
    client.send(request(1, "/0"), request(3, "/1"));
    expect(told(await client.untilPing())).toEqual(["1: headers", "1: headers, last", "3: headers"]);
  });

  test("frames are as large as the client says", async () => {
    const client = await server.greeted(setting(5, 20_000));
    client.send(request(1, "/30000"));
    expect(told(await client.untilPing())).toEqual([
      "1: headers",
      "1: data 20000",
      "1: data 10000",
      "1: headers, last",
    ]);
  });
});
