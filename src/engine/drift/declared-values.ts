import type { ResourceDeclaration } from "../../language";
import { sameValue, type ValueObject, withDefaults } from "../../schema";
import type { ResourceChange } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "../steps/refresh";

/** What the code says by now of the attributes that drifted, where that is not what was applied. */
export async function declaredValues(
  run: StackRun,
  { type, provider }: ResourceDeclaration,
  { object, before }: Refreshed,
  { change, attributes }: { readonly change: ResourceChange; readonly attributes: readonly string[] },
  config: ValueObject,
): Promise<ValueObject> {
  const said = Object.fromEntries(
    attributes.map((name) => [name, withDefaults(change.attributes[name]!, config[name] ?? null)]),
  );
  if (Object.keys(notApplied(change, said)).length === 0) return {};
  // The same may be said in another spelling, which the provider alone can tell.
  const { planned } = await run
    .configured(provider)
    .planResource({ type, address: object.address, prior: before, config });
  return notApplied(change, { ...said, ...(planned && onlyNamed(planned.attributes, attributes)) });
}

/** Those of the values that are not what was applied. */
const notApplied = ({ attributes, before }: ResourceChange, values: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !sameValue(value, before?.[name] ?? null, attributes[name]?.type),
    ),
  );

const onlyNamed = (values: ValueObject, names: readonly string[]): ValueObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
