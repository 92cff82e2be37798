import type { NeededRight } from "../../../engine";
import type { Report } from "../../document/model";
import { foldRights } from "../../views/rights";

/** The rights that a plan needs, in a few lines, and what could not be determined; undefined without `--rights`. */
export function rightsLines(
  { rights }: Report,
  quote: (name: string) => string,
): readonly string[] | undefined {
  if (rights === undefined) return undefined;
  const needed = rights.flatMap(({ scope, role, project, group, has, not_known }): NeededRight[] => {
    if (not_known !== undefined) return [];
    const at =
      project === undefined
        ? group === undefined
          ? undefined
          : { kind: "group", name: group }
        : { kind: "project", name: project };
    return [
      {
        kind: scope === undefined ? "role" : "scope",
        name: scope ?? role ?? "",
        ...(at && { at }),
        has: has ?? undefined,
      },
    ];
  });
  const notKnown = rights.flatMap(({ not_known, why }) =>
    not_known === undefined ? [] : [`not known: ${quote(not_known)} (${why})`],
  );
  const lines = [...foldRights(needed, quote), ...notKnown];
  return lines.length === 0 ? ["none; the plan sends nothing"] : lines;
}
