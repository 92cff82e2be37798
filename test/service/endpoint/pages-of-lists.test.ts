import { type Service, startService } from "cdktf-provider-steward/testing";
import { type Answer, client } from "../client";
import { tokenOf } from "../company";

/** Returns the URLs in a `Link` header, by their relation. */
const linksOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map((match) => [
      match[2]!,
      match[1]!,
    ]),
  );

const pagingOf = ({ headers }: Answer) =>
  Object.fromEntries(
    ["page", "per-page", "prev-page", "next-page", "total", "total-pages"].map((name) => [
      name,
      headers.get(`x-${name}`),
    ]),
  );

const idsOf = ({ body }: Answer): number[] => (body as { id: number }[]).map((entry) => entry.id);

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Returns a fixture with a group of numbered public projects. */
const library = (projects: number) => ({
  groups: [{ path: "library", id: 1_000_000, visibility: "public" as const }],
  projects: range(1, projects).map((id) => ({
    path: `library/book-${id}`,
    id,
    visibility: "public" as const,
  })),
});

describe("Common rules: offset pagination", () => {
  let service: Service;
  let send: ReturnType<typeof client>;
  beforeAll(async () => {
    service = await startService({ fixture: library(45), settings: { maximumOffset: 60 } });
    send = client(service);
  });
  afterAll(() => service.close());

  test("after one of two memberships expires, the total of the list of members is 1", async () => {
    /**
     * Starts a service with a membership that ends this many milliseconds from now. Returns the total before and after
     * the end. Undefined if the service started too late to show the membership.
     */
    const totalsUntilTheEnd = async (milliseconds: number) => {
      const expires_at = new Date(Date.now() + milliseconds).toISOString();
      const members = [
        { user: "stays", role: "developer" as const },
        { user: "leaves", role: "developer" as const, expires_at },
      ];
      const users = members.map(({ user: username }) => ({ username }));
      const passing = await startService({ fixture: { users, groups: [{ path: "passing", members }] } });
      const look = () => client(passing)("GET", "/groups/passing/members");
      let answer = await look();
      const first = pagingOf(answer).total;
      while ((answer.body as unknown[]).length > 1) answer = await look();
      await passing.close();
      return first === "1" ? undefined : [first, pagingOf(answer).total];
    };
    let totals: (string | null | undefined)[] | undefined;
    for (let patience = 500; totals === undefined; patience *= 2) totals = await totalsUntilTheEnd(patience);
    expect(totals).toEqual(["2", "1"]);
  });

  test("a client that follows the links to the next page gets all 45 projects", async () => {
    let address: string | undefined =
      `${service.url}/api/v4/groups/library/projects?order_by=id&sort=asc&per_page=7`;
    const seen: number[] = [];
    while (address !== undefined) {
      expect(address.startsWith(`${service.url}/api/v4/groups/library/projects?`)).toBe(true);
      const answer: Answer = await send("GET", address.slice(`${service.url}/api/v4`.length));
      seen.push(...idsOf(answer));
      address = linksOf(answer)["next"];
    }
    expect(seen).toEqual(range(1, 45));
  });

  test("the links to other pages contain the host name of the request", async () => {
    const { port } = new URL(service.url);
    const response = await fetch(`http://localhost:${port}/api/v4/projects`);
    expect(response.headers.get("link")).toContain(`<http://localhost:${port}/api/v4/projects?`);
  });
});

describe("Limits: collections above 10,000 records", () => {
  test.each([
    [10_000, { total: "10000", "total-pages": "100" }, true],
    [10_001, { total: null, "total-pages": null }, false],
  ])("a list of %i records has the documented totals and links", async (count, totals, last) => {
    const service = await startService({ fixture: library(count) });
    const answer = await client(service)("GET", "/projects?per_page=100&page=2");
    expect(pagingOf(answer)).toMatchObject(totals);
    expect(linksOf(answer)["last"] !== undefined).toBe(last);
    expect(pagingOf(answer)).toMatchObject({ "next-page": "3" });
    await service.close();
  });
});

describe("Limits: keyset pagination of the lists that support it", () => {
  let service: Service;
  let send: ReturnType<typeof client>;
  beforeAll(async () => {
    const names = ["Zoe", "Ada", "Mia", "Ada", "Ben"];
    service = await startService({
      fixture: {
        ...library(7),
        users: names.map((name, index) => ({
          username: `user${index}`,
          id: 11 + index,
          name,
          token: tokenOf(`user${index}`),
        })),
        groups: [
          ...library(0).groups,
          { path: "b", id: 1_000_001, name: "B", visibility: "public" },
          { path: "a", id: 1_000_002, name: "A", visibility: "public" },
          { path: "hidden", id: 1_000_003, name: "Hidden" },
        ],
      },
    });
    send = client(service);
  });
  afterAll(() => service.close());

  const walk = async (path: string, token?: string | null): Promise<number[]> => {
    const seen: number[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const answer: Answer = await send("GET", next, token === undefined ? {} : { token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("links")).toBeNull();
      const ids = idsOf(answer);
      const { next: address, ...others } = linksOf(answer);
      expect(others).toEqual({});
      expect(address === undefined).toBe(ids.length === 0);
      seen.push(...ids);
      next = address?.slice(`${service.url}/api/v4`.length);
    }
    return seen;
  };

  test.each([
    ["asc", range(1, 7)],
    ["desc", range(1, 7).reverse()],
  ])("projects can be listed by id in the order %s, with and without a token", async (sort, ids) => {
    const path = `/projects?pagination=keyset&order_by=id&sort=${sort}&per_page=3`;
    expect(await walk(path)).toEqual(ids);
    expect(await walk(path, null)).toEqual(ids);
  });

  test("keyset pagination can sort users by id, name or username", async () => {
    const root = 16;
    const by = (column: string) => walk(`/users?pagination=keyset&order_by=${column}&sort=asc&per_page=2`);
    expect(await by("id")).toEqual([...range(11, 15), root]);
    expect(await by("name")).toEqual([12, 14, root, 15, 13, 11]);
    expect(await by("username")).toEqual([root, ...range(11, 15)]);
  });

  test("a list of users that is read without a token contains no e-mail addresses", async () => {
    const path = "/users?pagination=keyset&order_by=id&sort=asc&per_page=4";
    expect(await walk(path, null)).toHaveLength(6);
    const { body } = await send("GET", path, { token: null });
    expect(JSON.stringify(body)).not.toContain("@");
  });

  test("with a token, the service returns 400 for groups sorted by name", async () => {
    const path = "/groups?pagination=keyset&order_by=name&sort=asc&per_page=1";
    expect(await walk(path, null)).toEqual([1_000_002, 1_000_001, 1_000_000]);
    expect((await send("GET", path)).status).toBe(400);
  });

  test("with offset pagination, the page after 50,000 users gets 400", async () => {
    const wide = await startService({ settings: { maximumOffset: 1_000_000 } });
    const get = client(wide);
    expect((await get("GET", "/users?per_page=100&page=500")).status).toBe(200);
    expect((await get("GET", "/users?per_page=100&page=501")).status).toBe(400);
    expect((await get("GET", "/projects?per_page=100&page=501")).status).toBe(200);
    await wide.close();
  });
});
