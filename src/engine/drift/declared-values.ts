import type { ResourceDeclaration } from "../../language";
import { isDeclared, sameValue, type ValueObject, withDefaults } from "../../schema";
import type { ResourceChange } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "../steps/refresh";

/** The current values of declared attributes, where they differ from what was applied. */
export async function declaredValues(
  run: StackRun,
  { type, provider }: ResourceDeclaration,
  { object, before }: Refreshed,
  change: ResourceChange,
  names: readonly string[],
  config: ValueObject,
): Promise<ValueObject> {
  const attributes = names.filter((name) => isDeclared(change.attributes[name]!, config[name]));
  const declared = Object.fromEntries(
    attributes.map((name) => [name, withDefaults(change.attributes[name]!, config[name] ?? null)]),
  );
  if (Object.keys(notApplied(change, declared)).length === 0) return {};
  // A value may have several spellings; only the provider can compare them.
  const { planned } = await run
    .configured(provider)
    .planResource({ type, address: object.address, prior: before, config });
  return notApplied(change, { ...declared, ...(planned && onlyNamed(planned.attributes, attributes)) });
}

/** The values that differ from what was applied. */
const notApplied = ({ attributes, before }: ResourceChange, values: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !sameValue(value, before?.[name] ?? null, attributes[name]?.type),
    ),
  );

const onlyNamed = (values: ValueObject, names: readonly string[]): ValueObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
