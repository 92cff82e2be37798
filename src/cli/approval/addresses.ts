import type { Plan, Value } from "../../engine";
import { addressesIn } from "../reports/safe-report";

/** Lists the e-mail addresses in all objects of a plan, also in objects without changes. */
export const addressesOf = ({ changes, drift }: Plan): string[] =>
  [...changes, ...drift].flatMap(({ address, before, after }) =>
    [address, ...textsIn(before), ...textsIn(after)].flatMap(addressesIn),
  );

function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null
    ? Object.values(value as Record<string, Value>).flatMap(textsIn)
    : [];
}
