import { factsOf, isUnknown, type ResourceChange, sameValue } from "../../engine";
import { allOf, allUpTo, oneLine } from "../../text";
import { adopts, keptBy, LEFT_FLEET, LEFT_OVER, reasonText } from "./equal";

type Decided = NonNullable<ResourceChange["decision"]>;

/** The maximum number of attributes in a reason. */
const SHOWN = 3;

/**
 * The sentences for decisions of the table of objects. A decision without a sentence here has a sentence in `REASONS`, or is the
 * reason itself.
 *
 * @param others the addresses of the other objects that are the reason
 */
const DECISIONS: Readonly<
  Partial<Record<Decided["why"], (change: ResourceChange, others: string) => string | undefined>>
> = {
  new: () => "the state does not contain it yet",
  "not on the service": () => "the service no longer has it",
  differs: (change) => differing(change),
  "must be replaced": ({ replacePaths }) =>
    replacePaths.length === 0
      ? undefined
      : `a new ${allUpTo(SHOWN, [...new Set(replacePaths.map(([name]) => String(name)))])} needs a new object`,
  "left the fleet": () => LEFT_FLEET,
  "same object stays": (_, others) => keptBy(others),
  "all parts stay": (_, others) => keptBy(others),
  "some parts stay": (_, others) => `no longer declared, but ${others} keeps some of its parts`,
  "owner removes": (_, others) => `no longer declared, and ${others} owns the whole set`,
  "part of a leaving object": (_, others) => adopts(others),
  "part of what a stack leaves": (_, others) => adopts(others),
  "part of a held object": (_, others) => `adopts a part of ${others}`,
  "failed has part": (_, others) => `${others} has a part of it, and could not be planned`,
  "failed may be it": (_, others) => `${others} may be the same object, and could not be planned`,
  "stack has part": (_, others) => `${others} takes over a part of it, and must be applied first`,
  "stack may have part": (_, others) => `${others} may take over a part of it, and must be applied first`,
};

function differing({ before, after, attributes }: ResourceChange): string {
  const names = Object.keys(after ?? {}).filter((name) => {
    const value = after?.[name] ?? null;
    return !isUnknown(value) && !sameValue(before?.[name] ?? null, value, attributes[name]?.type);
  });
  if (names.length === 0) return "it differs from the declaration";
  return `${allUpTo(SHOWN, names)} ${names.length === 1 ? "differs" : "differ"}`;
}

/** Returns sentences that say why the plan made its decision about an object. */
export function decisionReasons(change: ResourceChange): string[] {
  const { action, decision, previousAddress, importing, deposed } = change;
  const others = allOf([...new Set(decision?.because.map(({ address }) => oneLine(address)) ?? [])]);
  const imported = importing?.existing
    ? "it exists, and --import-existing is set"
    : "an import block names it";
  const isAsDeclared = action === "no-op" && previousAddress === undefined && importing === undefined;
  const main =
    deposed === undefined
      ? ((decision && DECISIONS[decision.why]?.(change, others)) ??
        reasonText([factsOf(change)])?.replace(/^because /, ""))
      : LEFT_OVER;
  return [
    ...(previousAddress === undefined ? [] : [`moved from ${oneLine(previousAddress)}`]),
    ...(importing === undefined ? [] : [imported]),
    ...(main === undefined ? [] : [main]),
    ...(isAsDeclared ? ["as declared"] : []),
  ];
}
