import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import type { Arguments, CallOptions, Operation } from "./operation";
import { RecordList } from "./record-list";
import type { Sender } from "./sender";

/** The most that the service gives at once (section "Limits"). */
const PER_PAGE = 100;

/** Reads an operation that answers a list, a page at a time (section "Common rules"). */
export function list<Template extends string, Params extends $ZodType, Item extends $ZodType>(
  sender: Sender,
  operation: Operation<Template, Params, Item>,
  given: Arguments<Template, Params>,
  options: CallOptions = {},
): RecordList<output<Item>> {
  return new RecordList(() => readPages(sender, operation, given, options));
}

async function* readPages<Template extends string, Params extends $ZodType, Item extends $ZodType>(
  sender: Sender,
  operation: Operation<Template, Params, Item>,
  given: Arguments<Template, Params>,
  options: CallOptions,
): AsyncGenerator<output<Item>[], void> {
  const schema = z.array(operation.answer as unknown as z.ZodMiniType<output<Item>>);
  for (let page = 1; ; page += 1) {
    const prepared = sender.prepare(operation, given, options, { per_page: PER_PAGE, page });
    const answer = await sender.send(prepared);
    const records = sender.decode(schema, answer, prepared.facts);
    if (records.length > 0) yield records;
    if (!answer.headers["x-next-page"]) return;
  }
}
