import {
  checkName,
  constructOf,
  type JsonObject,
  labelled,
  loadEach,
  malformed,
  refuseUnknownArguments,
} from "./blocks";
import { loadConditions } from "./conditions";
import type { CheckDeclaration, ResourceDeclaration } from "./model";

interface Checks {
  readonly checks: Map<string, CheckDeclaration>;
  readonly resources: Map<string, ResourceDeclaration>;
}

/** Arguments that a data source within a check can't have. */
const NOT_NESTED = ["count", "for_each", "lifecycle"];

/**
 * Loads the `check` blocks of one file. A data source within one is added to the other data sources, with a
 * reference to its check.
 */
export function loadChecks(
  { checks, resources }: Checks,
  json: JsonObject,
  loadData: (labels: [string, string], body: JsonObject) => ResourceDeclaration,
): void {
  loadEach(labelled(json["check"], "check", 1), ({ labels, body }) => {
    const [name] = labels as [string];
    const place = { address: `check.${name}`, construct: constructOf(body) };
    checkName(name, place.address);
    refuseUnknownArguments(body, ["data", "assert", "depends_on"], place.address);
    if (checks.has(name)) malformed(place.address, "it is declared twice; rename one of them");
    const asserts = loadConditions(body, "assert", place);
    if (asserts.length === 0) malformed(place.address, "it has no assert block");
    const [data, duplicate] = [...labelled(body["data"], `${place.address}.data`, 2)];
    if (duplicate !== undefined) malformed(place.address, "it has more than one data block");
    const nested = data && { ...loadData(data.labels as [string, string], data.body), check: place.address };
    if (data !== undefined && nested !== undefined) {
      for (const argument of NOT_NESTED)
        if (data.body[argument] !== undefined)
          malformed(nested.address, `a data source within a check can't have ${argument}`);
      if (resources.has(nested.address))
        malformed(nested.address, "it is declared twice; rename one of them");
      resources.set(nested.address, nested);
    }
    checks.set(name, { ...place, data: nested?.address, asserts });
  });
}
