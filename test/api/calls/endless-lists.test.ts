import { createClient } from "../../../src/api";
import { runs } from "../../support/capabilities";
import { failureOf } from "../support/failure-of";
import {
  type Behaviour,
  type FaultServer,
  json,
  type SeenRequest,
  startFaultServer,
} from "../support/fault-server";
import { LISTS, listOf, recordOf } from "../support/list-behaviours";

let server: FaultServer;
afterEach(() => server.close());

const client = () => createClient({ baseUrl: server.baseUrl, token: "t", env: {}, maxAttempts: 1 });
/** The operation whose list the server imitates. */
let operation = "";
const page = (...ids: number[]) => ids.map((id) => recordOf(operation, id));
const urlOf = ({ headers, target }: SeenRequest) => new URL(`http://${headers.host}/api/v4${target}`);
const numberOf = (request: SeenRequest) => Number(urlOf(request).searchParams.get("page") ?? 1);

/** Returns a link to another page of the same list. `cursor` makes each link different from the other links. */
function link(request: SeenRequest, cursor: number): { link: string } {
  const url = urlOf(request);
  url.searchParams.set("cursor", String(cursor));
  return { link: `<${url}>; rel="next"` };
}

/**
 * The number of responses after which the list ends. A client without its own limit reads this list to the end, so the test
 * fails.
 */
const MOST = 1500;
type Answer = (request: SeenRequest, nth: number) => Behaviour;
const endless =
  (answer: Answer): Behaviour =>
  (request, response) => {
    const nth = server.seen.length;
    (nth > MOST ? json(200, []) : answer(request, nth))(request, response);
  };

const BY_LINK: [string, Answer][] = [
  ["repeats one page behind new links", (request, nth) => json(200, page(1, 2), link(request, nth))],
  ["has circular links", (request, nth) => json(200, page(nth), link(request, nth % 3))],
  ["repeats the same records", (request, nth) => json(200, page(nth % 3, 7), link(request, nth))],
  [
    "returns empty pages, each with a link to another one",
    (request, nth) => json(200, [], link(request, nth)),
  ],
  [
    "links to another origin",
    (_request, nth) =>
      json(200, page(nth), { link: `<https://elsewhere.example/api/v4/x?n=${nth}>; rel="next"` }),
  ],
];

const GROWS = "has totals that grow with each page";
const BY_NUMBER: [string, Answer][] = [
  [
    "returns the same page for each number, with a next one",
    (request) => json(200, page(1, 2), { "x-next-page": String(numberOf(request) + 1) }),
  ],
  [
    "returns the same page for each number of its total",
    () => json(200, page(1, 2), { "x-total-pages": "40", "x-total": "80" }),
  ],
  [
    "returns empty pages for the numbers of its total",
    (request) => json(200, numberOf(request) === 1 ? page(1, 2) : [], { "x-total-pages": "90000" }),
  ],
  ["announces a billion pages", (_, nth) => json(200, page(nth), { "x-total-pages": "1000000000" })],
  [
    "announces more pages than a number can represent",
    (_, nth) => json(200, page(nth), { "x-total-pages": "9".repeat(400) }),
  ],
  [
    GROWS,
    (request, nth) => {
      const next = numberOf(request) + 1;
      return json(200, page(nth), { "x-total-pages": String(next), "x-next-page": String(next) });
    },
  ],
  [
    "announces the page itself as the next one",
    (_, nth) => json(200, page(1 + (nth % 2)), { "x-next-page": "1" }),
  ],
];

/** The soak tests each list with each behaviour. `npm test` runs a third of the combinations of lists and behaviours. */
const SHARE = runs(3, 1);

describe.each(
  LISTS.map(({ name, path, ...more }, at) => [name, path, at, more as { pagination: string }] as const),
)("an endless list is an error that names its operation: %s", (name, path, list, { pagination }) => {
  const answers = pagination === "keyset" ? BY_LINK : [...BY_LINK, ...BY_NUMBER];
  test.each(answers.filter((_, at) => (at + list) % SHARE === 0))(
    "if a list %s, reading the list ends with an error",
    async (behaviour, answer) => {
      operation = name;
      server = await startFaultServer(endless(answer));
      const error = await failureOf(listOf(client(), name, path).toArray());
      const code = behaviour === GROWS ? "list_changing" : "unexpected_answer";
      expect(error).toMatchObject({ code, operation: name, method: "GET" });
      expect(error.message).toContain(error.path);
      expect(server.seen.length).toBeLessThan(MOST);
      for (const { target } of server.seen) expect(target).not.toContain("elsewhere");
    },
  );
});

describe("a finite list that looks endless", () => {
  const byKeyset = () => client().projects.list();
  const byOffset = () => client().jobTokenScope.groupsAllowlist(1);

  test("a list is read to its end, even if most of its pages are empty", async () => {
    server = await startFaultServer((request, response) => {
      const nth = server.seen.length;
      const more = nth < 60 ? link(request, nth) : {};
      json(200, nth % 20 === 0 ? page(nth) : [], more)(request, response);
    });
    expect((await byKeyset().toArray()).map(({ id }) => id)).toEqual([20, 40, 60]);
  });

  test("if the header announces too few pages, the client reads the list to its end by links", async () => {
    server = await startFaultServer((request, response) => {
      const nth = server.seen.length;
      json(200, page(nth), { "x-total-pages": "1", ...(nth < 4 && link(request, nth)) })(request, response);
    });
    expect(await byOffset().toArray()).toHaveLength(4);
  });

  test("a list of 1,100 pages without links is read to its end by page numbers", async () => {
    const totals = { "x-total-pages": "1100", "x-total": "1100" };
    server = await startFaultServer((request, response) => {
      json(200, page(numberOf(request)), totals)(request, response);
    });
    expect((await byOffset().toArray()).map(({ id }) => id)).toEqual(
      Array.from({ length: 1100 }, (_, index) => index + 1),
    );
  });
});

describe("a foreign link in a response that also has the number of the next page", () => {
  test.each([
    [
      "to another origin",
      "https://elsewhere.example/api/v4/projects/1/job_token_scope/groups_allowlist?page=2",
    ],
    ["to the address behind a proxy", "http://10.0.0.7:8080/api/v4/projects/1/x?page=2&token=s3cret"],
    ["outside the API", "/users/sign_in"],
    ["nowhere", "http://["],
  ])("the client requests the next page by its number, and does not follow a link %s", async (_, away) => {
    server = await startFaultServer((request, response) => {
      const number = numberOf(request);
      const more = number < 3 ? { link: `<${away}>; rel="next"`, "x-next-page": String(number + 1) } : {};
      json(200, page(number), more)(request, response);
    });
    const found = await client().jobTokenScope.groupsAllowlist(1).toArray();
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(server.seen.map(({ target }) => target)).toEqual(
      [1, 2, 3].map((number) => `/projects/1/job_token_scope/groups_allowlist?per_page=100&page=${number}`),
    );
  });

  test("the client does not follow a link to another host", async () => {
    server = await startFaultServer((request, response) => {
      json(200, page(numberOf(request)), {
        link: `<https://elsewhere.example/x?page=2>; rel="next"`,
        "x-next-page": String(numberOf(request) + 1),
        "x-total-pages": "5",
      })(request, response);
    });
    const reading = client().jobTokenScope.groupsAllowlist(1).pages();
    for await (const _ of (await reading)!) if (server.seen.length >= 5) break;
    for (const { target } of server.seen) expect(target).toMatch(/groups_allowlist\?per_page=100&page=\d+$/);
  });
});
