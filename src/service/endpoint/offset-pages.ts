import { z } from "zod";
import { COUNTED_RECORDS } from "../compat/lists";
import { badRequest } from "../http/errors";
import { inMode } from "../settings/compat-mode";
import { countUpTo, entriesAt, type Selection } from "../store/selection";
import type { IncomingRequest } from "./incoming-request";
import { linkHeader } from "./link-header";

const MAX_PER_PAGE = 100;

export const pageParameters = {
  page: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1),
  per_page: z.int().min(1).default(20),
};

interface PageRequest {
  readonly page: number;
  readonly per_page: number;
}

interface PageAnswer<Entry> {
  readonly body: Entry[];
  readonly headers: Record<string, string>;
}

export const sizeOfPage = (perPage: number): number => Math.min(perPage, MAX_PER_PAGE);

/**
 * One page by number, with its headers (specification, Common rules and Limits). Larger pages than allowed are
 * reduced to the maximum.
 *
 * @throws HttpError 400 beyond the maximum offset.
 */
export function offsetPage<Entry>(
  incoming: IncomingRequest,
  selection: Selection<Entry>,
  request: PageRequest,
  recordLimit = Number.POSITIVE_INFINITY,
): PageAnswer<Entry> {
  const { database, address, settings } = incoming;
  const size = sizeOfPage(request.per_page);
  const offset = (request.page - 1) * size;
  if (offset > settings.maximumOffset || offset + size > recordLimit) {
    throw badRequest(
      `Offset pagination has a maximum allowed offset of ${Math.min(settings.maximumOffset, recordLimit)}. ` +
        "Remaining records can be retrieved using keyset pagination (pagination=keyset) where it is available.",
    );
  }
  // One extra entry shows whether there is a next page, even if totals are not counted.
  const entries = entriesAt(database, selection, size + 1, offset);
  const most = inMode(settings, COUNTED_RECORDS);
  const count = most === 0 ? undefined : countUpTo(database, selection, most + 1);
  const total = count !== undefined && count <= most ? count : undefined;
  const body = entries.slice(0, size);
  return { body, headers: pageHeaders(request.page, size, total, entries.length > size, address) };
}

function pageHeaders(
  page: number,
  size: number,
  total: number | undefined,
  more: boolean,
  address: URL,
): Record<string, string> {
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / size));
  const to = (number: number) => ({ page: String(number), per_page: String(size) });
  return {
    "x-page": String(page),
    "x-per-page": String(size),
    "x-next-page": more ? String(page + 1) : "",
    "x-prev-page": page > 1 ? String(page - 1) : "",
    ...(pages === undefined ? {} : { "x-total": String(total), "x-total-pages": String(pages) }),
    link: linkHeader(address, [
      ...(page > 1 ? [["prev", to(page - 1)] as const] : []),
      ...(more ? [["next", to(page + 1)] as const] : []),
      ["first", to(1)],
      ...(pages === undefined ? [] : [["last", to(pages)] as const]),
    ]),
  };
}
