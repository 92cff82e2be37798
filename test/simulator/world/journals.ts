// Reads journals without the code of Steward, which the simulator tests.
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

/**
 * Returns the lines of a journal up to the first damaged line. The text comes from a file, or from a document on the
 * service.
 */
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

/**
 * Returns the objects of pending changes: objects that the journal names, and objects that the app declares at the same
 * addresses.
 */
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

/** Returns the objects that a journal records as done. The next run puts them into the state. */
export const committedIn = (text: string): string[] =>
  linesOf(text).flatMap((line) =>
    line.kind === "ended"
      ? line.edits.flatMap(({ put, in: resource }) =>
          put === undefined ? [] : identityOfState(resource!.type, put.attributes),
        )
      : [],
  );

/**
 * Returns the objects for which a journal announces a delete. For a setting, Steward sends no request, and the next run
 * removes it from the state.
 */
export const leavingIn = (text: string): string[] =>
  linesOf(text).flatMap((line) => {
    if (line.kind !== "begun" || line.change.planned !== undefined) return [];
    const { resource, prior } = line.change;
    return prior === undefined ? [] : identityOfState(resource.type, prior.attributes);
  });
