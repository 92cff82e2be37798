import { z } from "zod";
import { badRequest } from "../http/errors";
import type { Position } from "../store/cursor-cache";
import { entriesAfter, type Selection } from "../store/selection";
import type { IncomingRequest } from "./incoming-request";
import { linkHeader } from "./link-header";
import { pageParameters, sizeOfPage } from "./offset-pages";

export const keysetParameters = {
  pagination: z.literal("keyset").optional(),
  per_page: pageParameters.per_page,
  order_by: z.string().optional(),
  sort: z.enum(["asc", "desc"]).optional(),
  cursor: z.string().optional(),
};

/** Keyset pagination that the specification (Limits) allows for a resource. */
export interface KeysetRule {
  readonly callers: "everybody" | "unauthenticated";
  /** Columns by the values of `order_by`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly sorts: readonly ("asc" | "desc")[];
}

interface KeysetRequest {
  readonly per_page: number;
  readonly order_by?: string | undefined;
  readonly sort?: "asc" | "desc" | undefined;
  readonly cursor?: string | undefined;
}

const cursorSchema = z.array(z.union([z.string(), z.number()]));

function readCursor(text: string, length: number): Position {
  try {
    return cursorSchema.length(length).parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) throw badRequest("cursor is invalid");
    throw cause;
  }
}

const writeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

function checked(
  rule: KeysetRule,
  request: KeysetRequest,
  incoming: IncomingRequest,
): { column: string; sort: "asc" | "desc" } {
  if (request.order_by === undefined) throw badRequest("order_by is missing");
  if (request.sort === undefined) throw badRequest("sort is missing");
  const column = Object.hasOwn(rule.columns, request.order_by) ? rule.columns[request.order_by] : undefined;
  if (column === undefined || !rule.sorts.includes(request.sort)) {
    throw badRequest(
      `Keyset pagination is not available for order_by=${request.order_by} and sort=${request.sort}. ` +
        `Available: order_by=${Object.keys(rule.columns).join(", ")}; sort=${rule.sorts.join(", ")}.`,
    );
  }
  if (rule.callers === "unauthenticated" && incoming.caller.user !== undefined) {
    throw badRequest("Keyset pagination of this resource is available to unauthenticated callers only.");
  }
  return { column, sort: request.sort };
}

/**
 * One page after a cursor (specification, Common rules and the table under Limits). The `Link` header gives the next
 * page alone, and is absent once the collection is exhausted.
 *
 * @throws HttpError 400 for an ordering or a caller that the table does not name.
 */
export function keysetPage<Entry>(
  incoming: IncomingRequest,
  selection: Selection<Entry>,
  request: KeysetRequest,
  rule: KeysetRule,
): { body: Entry[]; headers: Record<string, string> } {
  const { column, sort } = checked(rule, request, incoming);
  const ordered = {
    ...selection,
    order: column === selection.key ? [] : [column],
    descending: sort === "desc",
  };
  const after =
    request.cursor === undefined ? undefined : readCursor(request.cursor, ordered.order.length + 1);
  const size = sizeOfPage(request.per_page);
  const { entries, last } = entriesAfter(incoming.database, ordered, after, size);
  if (last === undefined) return { body: [], headers: {} };
  const next = { cursor: writeCursor(last), per_page: String(size) };
  return { body: entries, headers: { link: linkHeader(incoming.address, [["next", next]]) } };
}
