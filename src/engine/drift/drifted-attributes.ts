import type { Lifecycle } from "../../language";
import { differences, isDeclared, type ValueObject } from "../../schema";
import { ignoreChanges } from "../lifecycle/ignore-changes";
import type { ResourceChange } from "../model/plan";

/** The attributes that somebody changed by hand, of those that the configuration declares and does not ignore. */
export function driftedAttributes(
  { attributes, before, after }: ResourceChange,
  config: ValueObject,
  lifecycle: Pick<Lifecycle, "ignoreChanges">,
): string[] {
  const minded = ignoreChanges(lifecycle, attributes, before!, after!);
  return differences(attributes, before!, minded)
    .filter(({ name, attribute }) => isDeclared(attribute, config[name]))
    .map(({ name }) => name);
}
