import type { IncomingHttpHeaders } from "node:http";
import type { $ZodType, output } from "zod/v4/core";
import { type Page, type PageReader, RecordList, readByKeyset, readByOffset } from "../../http";
import type { Parameters } from "./encoding";
import type { Arguments, CallOptions, ListOperation } from "./operation";
import type { OperationSender, Prepared } from "./operation-sender";

/** Ignored, unless a later release paginates this list: then its pages have the maximum size. */
const PER_PAGE = 100;

/** The parameters of the first page. Ordering by id is supported by every keyset list but groups. */
const FIRST_PAGE: Readonly<Record<ListOperation["pagination"], Parameters>> = {
  offset: { per_page: PER_PAGE, page: 1 },
  keyset: { pagination: "keyset", per_page: PER_PAGE, order_by: "id", sort: "asc" },
  none: { per_page: PER_PAGE },
};

/**
 * Reads a list operation page by page (section "Common rules"). A response without a link to another page is
 * the complete list, however long it is.
 */
export function list<Item extends $ZodType>(
  sender: OperationSender,
  operation: ListOperation<Item>,
  given: Arguments,
  options: CallOptions = {},
): RecordList<output<Item>> {
  const { pagination } = operation;
  const prepare = (extra: Parameters) => sender.prepare(operation, given, options, extra);
  return new RecordList(
    () => pageReader(sender, operation, prepare),
    pagination === "keyset" ? readByKeyset : readByOffset,
    pagination === "offset" ? PER_PAGE : undefined,
  );
}

function pageReader<Item extends $ZodType>(
  sender: OperationSender,
  { records: schema, pagination, key }: ListOperation<Item>,
  prepare: (extra: Parameters) => Prepared,
): PageReader<output<Item>> {
  const start = FIRST_PAGE[pagination];
  const first = prepare(start);
  const read = async (prepared: Prepared, signal?: AbortSignal): Promise<Page<output<Item>>> => {
    const { info } = prepared;
    const answer = await sender.send(
      signal ? { ...prepared, signals: [...prepared.signals, signal] } : prepared,
    );
    const records = sender.decode(schema, answer, info);
    return {
      records,
      keys: records.map(key),
      next: sender.nextPageTarget(answer, info, numberedTarget(answer.headers)),
      total: readCount(answer.headers, "x-total"),
      totalPages: readCount(answer.headers, "x-total-pages"),
    };
  };
  // If an intermediary removed the links, the list must not end early.
  const numberedTarget = (headers: IncomingHttpHeaders): string | undefined => {
    const page = pagination === "keyset" ? undefined : readCount(headers, "x-next-page");
    return page === undefined ? undefined : prepare({ ...start, page }).request.target;
  };
  return {
    request: first.info,
    first: () => read(first),
    at: (target, signal) => read({ ...first, request: { ...first.request, target } }, signal),
    numbered: (page, signal) => read(prepare({ ...start, page }), signal),
  };
}

function readCount(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name];
  return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : undefined;
}
