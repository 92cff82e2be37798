// The content of journals, read without the simulated code.
import { type App, addressOf } from "./app";
import { identityOfState } from "./held";
import { identityOf } from "./objects";

interface Change {
  readonly address: string;
  readonly resource: { readonly type: string };
  readonly prior?: { readonly attributes: Readonly<Record<string, unknown>> };
  readonly planned?: unknown;
}

type Line = { readonly n: number } & (
  | { readonly kind: "begun"; readonly change: Change }
  | { readonly kind: "ended"; readonly of: number; readonly edits: readonly Edit[] }
  | { readonly kind: "head" | "saving" }
);

interface Edit {
  readonly put?: { readonly attributes: Readonly<Record<string, unknown>> };
  readonly in?: { readonly type: string };
}

/** The lines of a journal, as a file or as a document on the service, up to the first that is damaged. */
function linesOf(text: string): Line[] {
  const found: Line[] = [];
  for (const line of wholeText(text).split("\n")) {
    try {
      found.push(JSON.parse(line.slice(9)) as Line);
    } catch {
      break;
    }
  }
  return found;
}

function wholeText(text: string): string {
  if (!text.startsWith("{")) return text;
  const strings: string[] = [];
  JSON.parse(text, (_, value: unknown) => {
    if (typeof value === "string" && /^[0-9a-f]{8} \{/.test(value)) strings.push(value.replace(/\n$/, ""));
    return value;
  });
  return strings.join("\n");
}

/** The objects of pending changes: their values before, and the declarations of the app at their addresses. */
export function announcedIn(text: string, { stacks }: App): ReadonlySet<string> {
  const lines = linesOf(text);
  const ended = new Set(lines.flatMap((line) => (line.kind === "ended" ? line.of : [])));
  const changes = lines.flatMap((line) => (line.kind === "begun" && !ended.has(line.n) ? line.change : []));
  return new Set(
    changes.flatMap(({ address, resource, prior }) => [
      ...(prior === undefined ? [] : [identityOfState(resource.type, prior.attributes)]),
      ...stacks.flatMap(({ declarations }) =>
        declarations.filter((one) => addressOf(one) === address).map(identityOf),
      ),
    ]),
  );
}

/** The objects that a journal says are done: the next run puts them into the state. */
export const committedIn = (text: string): string[] =>
  linesOf(text).flatMap((line) =>
    line.kind === "ended"
      ? line.edits.flatMap(({ put, in: resource }) =>
          put === undefined ? [] : identityOfState(resource!.type, put.attributes),
        )
      : [],
  );

/** The objects whose delete a journal announces. A setting leaves the state with the next run: nothing is sent for it. */
export const leavingIn = (text: string): string[] =>
  linesOf(text).flatMap((line) => {
    if (line.kind !== "begun" || line.change.planned !== undefined) return [];
    const { resource, prior } = line.change;
    return prior === undefined ? [] : identityOfState(resource.type, prior.attributes);
  });
