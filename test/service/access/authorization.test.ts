import { readFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { Faults } from "../../../src/service/endpoint/faults";
import { endpointTable } from "../../../src/service/start/route-table";
import { CHOICES, requestOf } from "./authorization-requests";
import { authorizationFixture, CALLERS, COLUMNS, places } from "./authorization-world";

// Reads the table of docs/authorization.md, which people write. Each cell is checked with a request.

const page = readFileSync(path.join(__dirname, "../../../docs/authorization.md"), "utf8");

interface Row {
  readonly name: string;
  readonly expected: Readonly<Record<string, string>>;
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let heads: readonly string[] | undefined;
  for (const line of text.split("\n")) {
    const cells = line.startsWith("|")
      ? line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim())
      : undefined;
    if (cells === undefined) heads = undefined;
    else if (heads === undefined) heads = cells;
    else if (!cells[0]!.startsWith("---")) {
      const expected = Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ""]).slice(1));
      rows.push({ name: cells[0]!.replaceAll("`", ""), expected });
    }
  }
  return rows.filter(({ name }) => /^(GET|POST|PUT|PATCH|DELETE) /.test(name));
}

const rows = rowsOf(page);
const endpointOf = (name: string): string => name.replace(/ \(.*\)$/, "");

describe("docs/authorization.md", () => {
  test("docs/authorization.md has rows for all endpoints of the service, and for no others", () => {
    const served = endpointTable(new Faults()).map((endpoint) => `${endpoint.method} ${endpoint.path}`);
    const named = new Set(rows.map(({ name }) => endpointOf(name)));
    expect(served.filter((one) => !named.has(one))).toEqual([]);
    expect([...named].filter((one) => !served.includes(one))).toEqual([]);
  });

  test("each row of docs/authorization.md has a status for each kind of caller", () => {
    const names = rows.map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
    expect(Object.keys(CHOICES).filter((name) => !names.includes(name))).toEqual([]);
    for (const { name, expected } of rows) {
      expect({ name, columns: Object.keys(expected) }).toEqual({ name, columns: COLUMNS });
      for (const status of Object.values(expected))
        expect({ name, status }).toEqual({ name, status: expect.stringMatching(/^\d{3}$/) });
    }
  });
});

const start = () => startService({ fixture: authorizationFixture(), allowFaults: true });

/** Sends the request of a row as every caller at the same time. Each caller uses its own objects. */
async function answers(service: Service, name: string): Promise<Record<string, string>> {
  const method = name.split(" ")[0]!;
  const cells = places(service).map(async (place) => {
    const column = COLUMNS[place.index]!;
    const { path: address, json } = await requestOf(name, place);
    return [column, await statusOf(service, method, address, CALLERS[column], json)] as const;
  });
  return Object.fromEntries(await Promise.all(cells));
}

describe("authorization: each endpoint that reads, by each kind of caller", () => {
  let service: Service;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  test.each(rows.filter(({ name }) => name.startsWith("GET ")))(
    "each kind of caller gets the documented status: $name",
    async ({ name, expected }) => {
      expect(await answers(service, name)).toEqual(expected);
    },
  );
});

describe("authorization: each endpoint that writes, by each kind of caller", () => {
  let service: Service;
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.close());

  test.each(rows.filter(({ name }) => !name.startsWith("GET ")))(
    "each kind of caller gets the documented status: $name",
    async ({ name, expected }) => {
      expect(await answers(service, name)).toEqual(expected);
    },
  );
});

async function statusOf(
  { url }: Service,
  method: string,
  address: string,
  token: string | null,
  json: unknown,
): Promise<string> {
  const prefix = address.startsWith("/_steward/") ? "" : "/api/v4";
  const response = await fetch(`${url}${prefix}${address}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== null && { "private-token": token }),
      ...(json !== undefined && { "content-type": "application/json" }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  await response.arrayBuffer();
  return String(response.status);
}
