import { z } from "zod";
import { COUNTED_RECORDS } from "../habits/no-totals";
import { shiftingLists, shiftOf } from "../habits/shifting-lists";
import { badRequest } from "../http/errors";
import { chosen, hasHabit } from "../settings/settings";
import { Entries, type Position, type Selection } from "../store/selection";
import type { IncomingRequest } from "./authorization";

/** Returns the `Link` header of a page. All links keep the parameters of the request. */
function linkHeader(
  address: URL,
  relations: readonly (readonly [relation: string, parameters: Record<string, string>])[],
): string {
  // Each relation sets the same parameters, so one copy of the URL is enough for all relations.
  const target = new URL(address);
  return relations
    .map(([relation, parameters]) => {
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return `<${target.href}>; rel="${relation}"`;
    })
    .join(", ");
}

const MAX_PER_PAGE = 100;

/** The parameters of offset pagination. A page size above the maximum is reduced to the maximum. */
export const pageParameters = {
  page: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
  per_page: z
    .int()
    .min(1)
    .default(20)
    .transform((size) => Math.min(size, MAX_PER_PAGE)),
};

interface PageAnswer<Entry> {
  readonly body: Entry[];
  readonly headers: Record<string, string>;
}

/**
 * Returns one page by its number, with the headers of the response (specification, Common rules and Limits).
 *
 * @throws HttpError 400 beyond the maximum offset.
 */
export function offsetPage<Entry>(
  { database, address, settings }: IncomingRequest,
  selection: Selection<Entry>,
  { page, per_page: size }: z.output<z.ZodObject<typeof pageParameters>>,
  recordLimit = Number.POSITIVE_INFINITY,
): PageAnswer<Entry> {
  const offset = (page - 1) * size;
  if (offset > settings.maximumOffset || offset + size > recordLimit) {
    throw badRequest(
      `Offset pagination has a maximum allowed offset of ${Math.min(settings.maximumOffset, recordLimit)}. ` +
        "Remaining records can be retrieved using keyset pagination (pagination=keyset) where it is available.",
    );
  }
  // The query reads one extra entry. If the extra entry exists, there is a next page. The total can't show whether
  // there is a next page, because the service does not always count all entries.
  const all = new Entries(database, selection);
  const shift = shiftOf(settings, database, address.pathname, page);
  const entries = all.at(offset + shift, size + 1);
  const hasMore = entries.length > size;
  const most = hasHabit(settings, shiftingLists) ? 0 : chosen(settings, COUNTED_RECORDS);
  const count = most === 0 ? Number.POSITIVE_INFINITY : all.countUpTo(most + 1);
  const pages = count <= most ? Math.max(1, Math.ceil(count / size)) : undefined;
  const to = (number: number) => ({ page: String(number), per_page: String(size) });
  const headers = {
    "x-page": String(page),
    "x-per-page": String(size),
    "x-next-page": hasMore ? String(page + 1) : "",
    "x-prev-page": page > 1 ? String(page - 1) : "",
    ...(pages !== undefined && { "x-total": String(count), "x-total-pages": String(pages) }),
    link: linkHeader(address, [
      ...(page > 1 ? [["prev", to(page - 1)] as const] : []),
      ...(hasMore ? [["next", to(page + 1)] as const] : []),
      ["first", to(1)],
      ...(pages === undefined ? [] : [["last", to(pages)] as const]),
    ]),
  };
  return { body: entries.slice(0, size), headers };
}

export const keysetParameters = {
  pagination: z.literal("keyset").optional(),
  per_page: pageParameters.per_page,
  order_by: z.string().optional(),
  sort: z.enum(["asc", "desc"]).optional(),
  cursor: z.string().optional(),
};

/** The keyset pagination that the specification (Limits) allows for a resource. */
export interface KeysetRule {
  readonly callers: "everybody" | "unauthenticated";
  /** The columns that can sort the list. The keys are the allowed values of `order_by`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly sorts: readonly ("asc" | "desc")[];
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

/**
 * Returns one page after a cursor (specification, Common rules and the table under Limits). The `Link` header contains only
 * the next page. The last page has no `Link` header.
 *
 * @throws HttpError 400 for an ordering or a caller that the table does not name.
 */
export function keysetPage<Entry>(
  { database, caller, address }: IncomingRequest,
  selection: Selection<Entry>,
  { order_by, sort, cursor, per_page: size }: z.output<z.ZodObject<typeof keysetParameters>>,
  { callers, columns, sorts }: KeysetRule,
): PageAnswer<Entry> {
  if (order_by === undefined) throw badRequest("order_by is missing");
  if (sort === undefined) throw badRequest("sort is missing");
  const column = Object.hasOwn(columns, order_by) ? columns[order_by] : undefined;
  if (column === undefined || !sorts.includes(sort)) {
    throw badRequest(
      `Keyset pagination is not available for order_by=${order_by} and sort=${sort}. ` +
        `Available: order_by=${Object.keys(columns).join(", ")}; sort=${sorts.join(", ")}.`,
    );
  }
  if (callers === "unauthenticated" && caller.user !== undefined) {
    throw badRequest("Keyset pagination of this resource is available to unauthenticated callers only.");
  }
  const order = column === selection.key ? [] : [column];
  const ordered = { ...selection, order, isDescending: sort === "desc" };
  const after = cursor === undefined ? undefined : readCursor(cursor, order.length + 1);
  const { entries, last } = new Entries(database, ordered).after(after, size);
  if (last === undefined) return { body: [], headers: {} };
  const position = Buffer.from(JSON.stringify(last)).toString("base64url");
  const next = { cursor: position, per_page: String(size) };
  return { body: entries, headers: { link: linkHeader(address, [["next", next]]) } };
}
