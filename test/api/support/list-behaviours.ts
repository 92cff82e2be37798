import type { Client, RecordList } from "../../../src/api";
import { OPERATIONS } from "../../../src/api/areas";
import type { Behaviour } from "./fault-server";
import { json } from "./fault-server";

/** Returns a record that is valid in every list of these tests. */
const record = (id: number) => ({
  id,
  web_url: `https://example.com/groups/g${id}`,
  path_with_namespace: `g/p${id}`,
});

interface OffsetList {
  /** Returns the ids in the list at the time of the nth request. */
  readonly ids: (request: number) => readonly number[];
  /** The page size of the service. The size that the client requests has no effect. */
  readonly perPage: number;
  /**
   * The number of records up to which the service counts. A list with more records has no total counts and no link to the
   * last page.
   */
  readonly countedUpTo?: number;
  readonly hasLinks?: boolean;
  readonly recordOf?: (id: number) => object;
}

/** Serves a list with offset pagination, as `OffsetList` describes. */
export function offsetList(list: OffsetList): Behaviour {
  const { ids, perPage, countedUpTo = 10_000, hasLinks = true, recordOf = record } = list;
  let requests = 0;
  return (request, response) => {
    requests += 1;
    const all = ids(requests);
    const url = new URL(request.target, "http://localhost");
    const page = Number(url.searchParams.get("page") ?? 1);
    const pages = Math.ceil(all.length / perPage);
    url.searchParams.set("page", String(page + 1));
    const link = `<http://${request.headers.host}/api/v4${url.pathname}${url.search}>; rel="next"`;
    json(200, all.slice((page - 1) * perPage, page * perPage).map(recordOf), {
      "x-next-page": page < pages ? String(page + 1) : "",
      ...(hasLinks && page < pages && { link }),
      ...(all.length <= countedUpTo && { "x-total": String(all.length), "x-total-pages": String(pages) }),
    })(request, response);
  };
}

/**
 * Serves a list with keyset pagination. A client can find the next page only through a link. The page after the last record
 * is empty.
 */
export function keysetList(ids: readonly number[], perPage: number): Behaviour {
  return (request, response) => {
    const url = new URL(request.target, "http://localhost");
    const after = Number(url.searchParams.get("id_after") ?? 0);
    const page = ids.filter((id) => id > after).slice(0, perPage);
    url.searchParams.set("id_after", String(page.at(-1)));
    const link = `<http://${request.headers.host}/api/v4${url.pathname}${url.search}>; rel="next"`;
    json(200, page.map(record), page.length > 0 ? { link } : {})(request, response);
  };
}

/** Every operation that returns a list. */
export const LISTS = OPERATIONS.filter((operation) => "pagination" in operation);

/** Returns a record that is valid in a list of any operation. */
export const anyRecord = (index: number) => ({
  ...record(index),
  key: `key-${index}`,
  name: `name-${index}`,
  username: `user-${index}`,
  user: { id: index + 1, username: `user-${index}` },
  invite_email: `person-${index}@example.com`,
  domain: `docs-${index}.example.com`,
  full_path: `g/p${index}`,
  repository_path_pattern: `acme/${index}`,
  access_level: 30,
  deploy_access_levels: [],
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  iid: index + 1,
  title: `title-${index}`,
  state: "opened",
  project_id: 1,
  source_branch: "limit",
  target_branch: "main",
  status: "success",
  merge_commit_sha: null,
  squash_commit_sha: null,
  body: `body-${index}`,
  sha: `${index}`,
  head_commit_sha: `${index}`,
  author: { id: 1, username: "ada" },
});

/** Returns a record that fits the list of an operation. The id of a commit is a text. */
export const recordOf = (operation: string, index: number): object =>
  operation === "pipelines.commits" ? { ...anyRecord(index), id: String(index) } : anyRecord(index);

/** Calls a list operation through the public client. */
export function listOf(client: Client, name: string, path: string): RecordList<unknown> {
  const [area, method] = name.split(".") as [keyof Client, string];
  const call = (client[area] as unknown as Record<string, (...of: number[]) => RecordList<unknown>>)[method]!;
  return call(...[...path.matchAll(/:\w+/g)].map(() => 1));
}
