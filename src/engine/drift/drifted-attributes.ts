import type { Lifecycle } from "../../language";
import { differences, isDeclared, type ValueObject } from "../../schema";
import { ignoreChanges } from "../lifecycle/ignore-changes";
import type { ResourceChange } from "../model/plan";

/** The declared attributes that differ on the service and are not in `ignore_changes`. */
export function driftedAttributes(
  { attributes, before, after }: ResourceChange,
  config: ValueObject,
  lifecycle: Pick<Lifecycle, "ignoreChanges">,
): string[] {
  const compared = ignoreChanges(lifecycle, attributes, before!, after!);
  return differences(attributes, before!, compared)
    .filter(({ name, attribute }) => isDeclared(attribute, config[name]))
    .map(({ name }) => name);
}
