import * as fc from "fast-check";
import { createClient } from "../../../src/api";
import { encodeParameters, encodePath } from "../../../src/api/calls/encoding";
import { decodeForm } from "../../../src/service/server/body-parsers";
import { codePoint } from "../../support/code-points";
import { empty, type FaultServer, json, startFaultServer } from "../support/fault-server";

const wellFormed = fc.string({ unit: codePoint, minLength: 1 });

describe("a path", () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await startFaultServer(empty(204));
  });
  afterAll(() => server.close());

  test("the client encodes any string as one segment of the path", async () => {
    const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {} });
    await fc.assert(
      fc.asyncProperty(wellFormed, wellFormed, async (project, name) => {
        await client.protectedEnvironments.unprotect(project, name);
        const segments = server.seen.at(-1)!.target.split("/");
        expect(segments).toHaveLength(5);
        expect([segments[2], segments[4]].map((each) => decodeURIComponent(each!))).toEqual([project, name]);
      }),
    );
    await client.close();
  });

  test.each([
    ["group/project", "group%2Fproject"],
    ["review/feature-1", "review%2Ffeature-1"],
    ["ann+ci@example.com", "ann%2Bci%40example.com"],
    ["..", "%2E%2E"],
    [42, "42"],
  ])("the path segment %j is sent as %s", (value, written) => {
    expect(encodePath("/x/:name", { name: value })).toBe(`/x/${written}`);
  });

  test.each([
    ["", "it is empty"],
    ["\ud800", "surrogate"],
    [0, "not an id"],
    [-1, "not an id"],
    [1.5, "not an id"],
    [Number.NaN, "not an id"],
  ])("the client refuses the path segment %j: %s", (value, why) => {
    expect(() => encodePath("/x/:name", { name: value })).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(why) }),
    );
  });
});

describe("parameters", () => {
  test("decoding an encoded query or form returns the original name and text", () => {
    fc.assert(
      fc.property(wellFormed, fc.string({ unit: codePoint }), (name, value) => {
        const written = encodeParameters({ [name]: value });
        expect([...new URLSearchParams(written)]).toEqual([[name, value]]);
        expect([...new URL(`http://localhost/?${written}`).searchParams]).toEqual([[name, value]]);
      }),
    );
  });

  const text = fc.string({ unit: codePoint });
  const key = fc.stringMatching(/^[a-z_]{1,8}$/);
  const hash = fc.dictionary(key, text, { minKeys: 1, noNullPrototype: true });

  test("decoding an encoded query returns the original arrays, objects and arrays of objects", () => {
    fc.assert(
      fc.property(
        fc.record({
          array: fc.array(text, { minLength: 1 }),
          hash,
          hashes: fc.array(hash, { minLength: 1 }),
        }),
        (given) => {
          // The service first parses numbered elements to a hash with numbers as keys. The service converts this hash to an
          // array later, when it knows the schema.
          const hashes = Object.fromEntries(given.hashes.map((each, index) => [index, each]));
          expect(decodeForm(encodeParameters(given))).toEqual({ ...given, hashes });
        },
      ),
    );
  });

  test("the encoding of times, arrays and objects in a query agrees with the specification", () => {
    const written = encodeParameters({
      at: "2026-01-01T00:00:00+01:00",
      since: new Date("2026-01-02T03:04:05Z"),
      names: ["a", "b"],
      hash: { key: 1 },
      hashes: [{ id: 1, ok: true }, { id: 2 }],
      nothing: null,
      missing: undefined,
    });
    expect(decodeURIComponent(written.replaceAll("%2B", "<plus>"))).toBe(
      "at=2026-01-01T00:00:00<plus>01:00&since=2026-01-02T03:04:05.000Z&names[]=a&names[]=b" +
        "&hash[key]=1&hashes[0][id]=1&hashes[0][ok]=true&hashes[1][id]=2&nothing=",
    );
  });

  test("the client refuses a parameter with a lone surrogate", () => {
    expect(() => encodeParameters({ name: "\udc00" })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });
});

describe("a long URL or body", () => {
  test("the client refuses a URL with 9,000 characters, and sends no request", async () => {
    const server = await startFaultServer(json(200, []));
    const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {} });
    const search = "x".repeat(9000);
    await expect(client.enterpriseUsers.list(1, { search }).toArray()).rejects.toMatchObject({
      name: "ArgumentError",
      code: "uri_too_long",
      status: undefined,
    });
    await expect(client.projects.get(search)).rejects.toMatchObject({ code: "uri_too_long" });
    expect(server.seen).toEqual([]);
    await server.close();
  });

  test("the client sends a body with 1,000 e-mail addresses", async () => {
    const server = await startFaultServer(json(201, { status: "success" }));
    const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {} });
    const email = Array.from({ length: 1000 }, (_, index) => `person+${index}@example.com`);
    await client.projectInvitations.create("group/project", { email, access_level: 30 });
    expect(server.seen[0]).toMatchObject({ method: "POST", target: "/projects/group%2Fproject/invitations" });
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ email: email.join(","), access_level: 30 });
    await server.close();
  });
});
