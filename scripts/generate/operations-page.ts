import type { $ZodObject, $ZodType } from "zod/v4/core";
import { OPERATIONS } from "../../src/api/areas";
import { isRepeatable, type ListOperation, type Operation } from "../../src/api/calls/operation";
import type { Generator } from "./generated-files";

const INTRODUCTION = `# Operations of the API client

Every operation of \`cdktf-provider-steward/api\`, from the declarations that the client itself works with. Paths are
relative to \`/api/v4\`. A list is an async iterable of records: *by offset* its pages are read at the same time, *by
keyset* one after the other; a *whole* one has no pages. *Repeated* tells whether an operation is sent again after a lost answer; after 429, and
when no connection was made, every operation is.

The reading of a list comes to an end whatever the service answers. It is the error \`unexpected_answer\`, with the operation's name, when a page
repeats the records of those before it, a link leads back, more than 100 pages in a row hold no new record, or the list has more than
100,000 pages. A list that changes in each of four readings is the error \`list_changing\`. Pages are read at most 50 ahead. A link to another origin is never followed: where the service gives
the number of the next page beside it (\`x-next-page\`), that page is asked for by its number, and else it is the same error.

An answer is read up to \`max_answer_bytes\` (32 MiB), uncompressed, and up to 512 levels of lists and objects within each other; of an error one mebibyte is read.
`;

const HEAD = `| operation | request | parameters | answer | repeated |
|---|---|---|---|---|`;

/** Generates `docs/api.md`: all operations of the client. */
export const operationsPage = (): Generator => ({
  place: "docs/api.md",
  generate: async () => new Map([["docs/api.md", operationsText()]]),
});

/** Returns a table for each area, with a row for each operation. */
function operationsText(): string {
  const areas = new Map<string, (Operation | ListOperation)[]>();
  for (const operation of OPERATIONS) {
    const area = operation.name.split(".")[0]!;
    areas.set(area, [...(areas.get(area) ?? []), operation]);
  }
  const tables = [...areas].map(([area, operations]) => {
    const sections = [...new Set(operations.map(({ section }) => section))].join(", ");
    return `\n## ${area}\n\nSpecification: ${sections}.\n\n${HEAD}\n${operations.map(line).join("\n")}\n`;
  });
  return INTRODUCTION + tables.join("");
}

function line(operation: Operation | ListOperation): string {
  const { name, summary, method, path, parameters, answer } = operation;
  const single = answer ? "record" : "none";
  const cells = [
    `**\`${name}\`**<br>${summary}`,
    `\`${method} ${path}\``,
    parameters
      ? fieldsOf(parameters)
          .map((field) => `\`${field}\``)
          .join(", ")
      : "",
    "pagination" in operation ? LISTS[operation.pagination] : single,
    isRepeatable(operation) ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
}

const LISTS: Readonly<Record<ListOperation["pagination"], string>> = {
  offset: "list, by offset",
  keyset: "list, by keyset",
  none: "list, whole",
};

/** Returns the names of an object's fields. A question mark follows the name of an optional field. */
const fieldsOf = (schema: $ZodType): string[] =>
  Object.entries((schema as $ZodObject)._zod.def.shape).map(([name, field]) =>
    field._zod.optin === "optional" ? `${name}?` : name,
  );
