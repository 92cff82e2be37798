import type { AttributePath } from "../../diagnostics";
import { parseExpression, parseTemplate, parseTraversal, references } from "../syntax";
import {
  type BlockLocation,
  bodies,
  flag,
  type JsonObject,
  malformed,
  parseAttribute,
  refuseUnknownArguments,
  texts,
  withLocation,
} from "./blocks";
import { type Condition, type Lifecycle, NO_LIFECYCLE } from "./model";
import { refuseUnsupported } from "./unsupported";

/** Returns the conditions of a block that have one keyword (`precondition`, `validation`, `assert`, …). */
export function loadConditions(
  block: JsonObject,
  kind: string,
  location: BlockLocation,
  within: AttributePath = [],
): Condition[] {
  const parts = ["condition", "error_message"];
  return bodies(block[kind], `${location.address}.${kind}`).map((body, index) => {
    const at = `${location.address}.${kind}[${index}]`;
    refuseUnknownArguments(body, parts, at);
    const [condition, errorMessage] = parts.map((name) => {
      if (body[name] === undefined) malformed(at, `it has no ${name}`);
      return parseAttribute(body[name], location, [...within, kind, index, name]);
    });
    if (references(condition!).length === 0)
      malformed(at, "its condition refers to no object, so its result never changes");
    return { condition: condition!, errorMessage: errorMessage! };
  });
}

const CONDITIONS = ["precondition", "postcondition"];
const MANAGED = ["prevent_destroy", "create_before_destroy", "ignore_changes", "replace_triggered_by"];

/** Returns the parsed `lifecycle` block of a resource or data source. */
export function loadLifecycle(mode: "managed" | "data", body: JsonObject, place: BlockLocation): Lifecycle {
  const at = `${place.address}.lifecycle`;
  if (body["lifecycle"] === undefined) return NO_LIFECYCLE;
  const [block, second] = bodies(body["lifecycle"], at);
  if (second !== undefined) malformed(at, "there is more than one lifecycle block");
  if (block === undefined) return NO_LIFECYCLE;
  refuseUnsupported(Object.keys(block), `${mode === "managed" ? "resource" : "data"}Lifecycle`, at, place);
  const known = mode === "managed" ? [...MANAGED, ...CONDITIONS] : CONDITIONS;
  refuseUnknownArguments(block, known, at);
  return {
    preventDestroy: flag(block, "prevent_destroy", at, false),
    createBeforeDestroy: flag(block, "create_before_destroy", at, false),
    ignoreChanges: loadIgnoreChanges(block["ignore_changes"], place, `${at}.ignore_changes`),
    replaceTriggeredBy: texts(block["replace_triggered_by"], `${at}.replace_triggered_by`).map(
      (text, index) =>
        withLocation(place, ["lifecycle", "replace_triggered_by", index], () =>
          text.startsWith("${") ? parseTemplate(text) : parseExpression(text),
        ),
    ),
    preconditions: loadConditions(block, "precondition", place, ["lifecycle"]),
    postconditions: loadConditions(block, "postcondition", place, ["lifecycle"]),
  };
}

function loadIgnoreChanges(json: unknown, place: BlockLocation, at: string): Lifecycle["ignoreChanges"] {
  if (json === "all") return "all";
  return texts(json, at).map((text, index) => {
    const attribute = ["lifecycle", "ignore_changes", index];
    return withLocation(place, attribute, () => parseTraversal(text));
  });
}
