import * as fc from "fast-check";
import { type ClientOptions, createClient } from "../../../src/api";
import { stillHeld } from "../../support/garbage";
import { failureOf } from "../support/failure-of";
import { type Behaviour, type FaultServer, json, startFaultServer } from "../support/fault-server";
import { anyRecord, keysetList, LISTS, listOf, offsetList, recordOf } from "../support/list-behaviours";

let server: FaultServer;
const start = async (...behaviours: [Behaviour, ...Behaviour[]]) => {
  server = await startFaultServer(...behaviours);
};
const client = (options: ClientOptions = {}) =>
  createClient({ baseUrl: server.baseUrl, token: "t", env: {}, retryDelay: 0.001, ...options });
const byOffset = () => client().jobTokenScope.groupsAllowlist(1);
const range = (length: number, first = 1) => Array.from({ length }, (_, index) => first + index);
const idsOf = async (list: AsyncIterable<{ id: number }>) => {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
};
const pagesAsked = () =>
  server.seen.map(({ target }) => Number(new URLSearchParams(target.split("?")[1]).get("page")));
afterEach(() => server.close());

const sizes = fc.record({
  total: fc.integer({ min: 0, max: 120 }),
  perPage: fc.integer({ min: 1, max: 100 }),
});

describe("a list by offset", () => {
  test("a list by offset returns each record once and in order, for any list size and page size", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), fc.boolean(), async ({ total, perPage }, isCounted, hasLinks) => {
        // If the responses have no total counts, the client needs the links.
        const links = hasLinks || !isCounted;
        await start(
          offsetList({
            ids: () => range(total),
            perPage,
            countedUpTo: isCounted ? total : -1,
            hasLinks: links,
          }),
        );
        try {
          expect(await idsOf(byOffset())).toEqual(range(total));
          expect(server.seen).toHaveLength(Math.max(1, Math.ceil(total / perPage)));
        } finally {
          await server.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the client requests the first page of a list, and then all other pages at the same time", async () => {
    let waiting: (() => void)[] = [];
    const pages = offsetList({ ids: () => range(450), perPage: 100 });
    await start(pages, (request, response) => {
      waiting.push(() => pages(request, response));
      // The service responds only after all four requests have arrived. If the client sent the requests one after the
      // other, the test would never end.
      if (waiting.length === 4) {
        for (const answer of waiting.reverse()) answer();
        waiting = [];
      }
    });
    expect(await idsOf(byOffset())).toEqual(range(450));
    expect(pagesAsked().sort()).toEqual([1, 2, 3, 4, 5]);
    expect(server.seen.every(({ target }) => target.includes("per_page=100"))).toBe(true);
  });

  test("if a list of more than 10,000 records has no totals, the client follows its links", async () => {
    await start(offsetList({ ids: () => range(10_100), perPage: 100 }));
    expect(await byOffset().toArray()).toHaveLength(10_100);
    expect(pagesAsked()).toEqual(range(101));
  });

  test("the client reads a list to its end, even if a proxy removed the links and totals", async () => {
    await start(offsetList({ ids: () => range(250), perPage: 100, countedUpTo: 0, hasLinks: false }));
    expect(await byOffset().toArray()).toHaveLength(250);
    expect(pagesAsked()).toEqual([1, 2, 3]);
  });

  test("if a record is deleted while a list is read, no other record is missing, although later records shift", async () => {
    // Record 1 is deleted after the client has read the first page. Record 101 then belongs to the first page, and the
    // second page begins with record 102.
    await start(offsetList({ ids: (request) => (request === 1 ? range(250) : range(249, 2)), perPage: 100 }));
    const ids = await idsOf(byOffset());
    expect(ids.sort((one, other) => one - other)).toEqual(range(250));
  });

  test("if a record is added while a list is read by page numbers, each record is returned once", async () => {
    await start(offsetList({ ids: (request) => (request === 1 ? range(250, 2) : range(251)), perPage: 100 }));
    const ids = await idsOf(byOffset());
    expect(ids.sort((one, other) => one - other)).toEqual(range(251));
  });

  test("a list that gains a record during a read by links returns no record twice", async () => {
    await start(
      offsetList({
        ids: (request) => (request < 3 ? range(250, 2) : range(251)),
        perPage: 100,
        countedUpTo: 0,
      }),
    );
    const ids = await idsOf(byOffset());
    expect(ids.sort((one, other) => one - other)).toEqual(range(251));
  });

  test("a record that the service always lists twice is returned once", async () => {
    await start(offsetList({ ids: () => [...range(120), 7], perPage: 100 }));
    expect(await idsOf(byOffset())).toEqual(range(120));
    // The list has two pages. The client reads both pages twice, because a record is repeated. Both readings return the
    // same records, so the client knows that the list did not change.
    expect(server.seen).toHaveLength(4);
  });

  test("if a list changes during each of four reads, the error has the code list_changing", async () => {
    await start(offsetList({ ids: (request) => range(250 + request), perPage: 100 }));
    const error = await failureOf(byOffset().toArray());
    expect(error.code).toBe("list_changing");
    expect(error.message).toContain("changed each of the 4 times");
    expect(error.message).not.toContain("proxy");
  });

  test("a list that changes during three reads and not during the fourth is returned completely", async () => {
    // The client sends three requests each time it reads the list.
    await start(offsetList({ ids: (request) => range(250 + Math.min(request, 9)), perPage: 100 }));
    const ids = await idsOf(byOffset());
    expect(ids.sort((one, other) => one - other)).toEqual(range(259));
    expect(server.seen).toHaveLength(12);
  });

  test("if one page of a list fails, reading the whole list fails", async () => {
    const pages = offsetList({ ids: () => range(450), perPage: 100 });
    await start((request, response) =>
      (/[?&]page=3/.test(request.target) ? json(403, {}) : pages)(request, response),
    );
    expect((await failureOf(byOffset().toArray())).code).toBe("forbidden");
  });

  test("after the caller leaves the loop over a list, the client stops requesting pages", async () => {
    await start(offsetList({ ids: () => range(5000), perPage: 100 }));
    for await (const { id } of client({ maxConcurrency: 1 }).jobTokenScope.groupsAllowlist(1)) {
      if (id === 150) break;
    }
    expect(server.seen.length).toBeLessThan(10);
  });
});

describe("a mapped list", () => {
  test("map frees the memory of each original record before the last page arrives", async () => {
    const pages = offsetList({ ids: () => range(450), perPage: 100 });
    let answerLast = () => {};
    await start((request, response) => {
      if (!/[?&]page=5/.test(request.target)) return pages(request, response);
      answerLast = () => pages(request, response);
    });
    const sent: WeakRef<object>[] = [];
    let seen = () => {};
    const allButLast = new Promise<void>((resolve) => {
      seen = () => sent.length === 400 && resolve();
    });
    const reading = byOffset()
      .map((group) => {
        sent.push(new WeakRef(group));
        seen();
        return group.id;
      })
      .toArray();
    await allButLast;
    expect(await stillHeld(sent)).toBe(0);
    answerLast();
    expect(await reading).toEqual(range(450));
  });

  test("if a mapped list by keyset has two pages, pages(1) returns undefined", async () => {
    await start(keysetList(range(3), 2));
    const paths = client()
      .projects.list()
      .map(({ path_with_namespace }) => path_with_namespace);
    expect(await paths.toArray()).toEqual(["g/p1", "g/p2", "g/p3"]);
    expect(await paths.pages(1)).toBeUndefined();
  });
});

describe("a list by keyset", () => {
  test("a list by keyset returns each record once and in order, for any list size and page size", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async ({ total, perPage }) => {
        await start(keysetList(range(total), perPage));
        try {
          expect(await idsOf(client().projects.list())).toEqual(range(total));
          expect(server.seen).toHaveLength(Math.ceil(total / perPage) + 1);
        } finally {
          await server.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  test("the client requests a list by keyset in the order of ids, with the caller's filter", async () => {
    await start(keysetList(range(3), 100));
    await client().projects.list({ search: "a+b", archived: false }).toArray();
    const query = new URLSearchParams(server.seen[0]!.target.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({
      search: "a+b",
      archived: "false",
      pagination: "keyset",
      per_page: "100",
      order_by: "id",
      sort: "asc",
    });
  });
});

describe("an inconsistent service", () => {
  test("if a link leads back to an earlier page, reading ends with an error", async () => {
    await start((request, response) => {
      const link = `<http://${request.headers.host}/api/v4/projects?n=1>; rel="next"`;
      json(200, [anyRecord(server.seen.length)], { link })(request, response);
    });
    expect((await failureOf(client().projects.list().toArray())).message).toContain("leads back");
  });

  test.each([
    ["another origin", "https://elsewhere.example/api/v4/projects?page=2"],
    ["outside the API", "/users/sign_in"],
  ])("the client does not follow the next link of a list (%s)", async (told, link) => {
    await start(json(200, [anyRecord(1)], { link: `<${link}>; rel="next"` }));
    const error = await failureOf(client().projects.list().toArray());
    expect(error.code).toBe("unexpected_answer");
    expect(error.message).toContain(told);
    expect(server.seen).toHaveLength(1);
  });
});

describe("a complete list with more records than a page, without a link to another page", () => {
  test.each(LISTS.map(({ name, path }) => [name, path]))(
    "one request reads the complete list: %s",
    async (name, path) => {
      await start(
        json(
          200,
          range(350).map((index) => recordOf(name, index)),
        ),
      );
      expect(await listOf(client(), name, path).toArray()).toHaveLength(350);
      expect(await listOf(client(), name, path).pages(1)).toBeDefined();
      expect(server.seen).toHaveLength(2);
    },
  );
});

describe("a list without pagination", () => {
  const rules = () => client().containerProtectionRules.list(1);
  const rule = (id: number) => ({ id, repository_path_pattern: `acme/${id}` });

  test("the client reads a list without pagination with one request without a page number", async () => {
    await start(json(200, range(350).map(rule)));
    expect(await idsOf(rules())).toEqual(range(350));
    expect(server.seen.map(({ target }) => target)).toEqual([
      "/projects/1/registry/protection/repository/rules?per_page=100",
    ]);
  });

  test.each([
    ["links and totals", { hasLinks: true, countedUpTo: 1000 }],
    ["links alone", { hasLinks: true, countedUpTo: 0 }],
    ["numbers alone", { hasLinks: false, countedUpTo: 0 }],
  ])("a list without pagination is read to its end if the service paginates it by %s", async (_, told) => {
    await start(offsetList({ ids: () => range(350), perPage: 100, ...told, recordOf: rule }));
    expect(await idsOf(rules())).toEqual(range(350));
    expect(server.seen).toHaveLength(4);
  });
});

describe("a list that is read only up to a number of pages", () => {
  const upTo = async (most: number) => {
    const pages = await byOffset().pages(most);
    if (pages === undefined) return undefined;
    const records = [];
    for await (const page of pages) records.push(...page);
    return records;
  };

  test("if a list has five pages, pages(5) returns the whole list", async () => {
    await start(offsetList({ ids: () => range(450), perPage: 100, countedUpTo: 450, hasLinks: true }));
    expect((await upTo(5))?.map(({ id }) => id)).toEqual(range(450));
    expect(server.seen).toHaveLength(5);
  });

  test("if a list has five pages, pages(4) requests the first page and returns undefined", async () => {
    await start(offsetList({ ids: () => range(450), perPage: 100, countedUpTo: 450, hasLinks: true }));
    expect(await upTo(4)).toBeUndefined();
    expect(pagesAsked()).toEqual([1]);
  });

  test("if the service returns no total for a list of five pages, pages(100) returns undefined and pages(101) returns the list", async () => {
    await start(offsetList({ ids: () => range(450), perPage: 100, countedUpTo: -1, hasLinks: true }));
    expect(await upTo(100)).toBeUndefined();
    expect(await upTo(101)).toHaveLength(450);
    await server.close();
    await start(offsetList({ ids: () => range(30), perPage: 100, countedUpTo: -1, hasLinks: true }));
    expect(await upTo(1)).toHaveLength(30);
  });
});
