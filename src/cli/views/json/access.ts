import type { AccessHolder, AccessPlace, RehearsedStep, RightsReport } from "../../../engine";
import type { Report, ReportAccess, ReportRight } from "../../document/model";
import { accessLine, quoted } from "../access";
import type { MergedAccess } from "../merge-access";

/** The stack that an entry is about, or all of them if there are several; nothing for a configuration without stacks. */
function of(stacks: readonly string[]): { readonly stack?: string; readonly stacks?: readonly string[] } {
  const [first, ...others] = stacks;
  if (first === undefined) return {};
  return others.length === 0 ? { stack: first } : { stacks };
}

/** The entries of access changes, those that give access first. What belongs to no place has an entry of its own for each stack. */
export function accessJson({ places, notCounted }: MergedAccess): ReportAccess[] {
  const general = new Map<string, MergedAccess["notCounted"][number][]>();
  for (const one of notCounted) {
    const key = JSON.stringify(one.stacks);
    general.set(key, [...(general.get(key) ?? []), one]);
  }
  const described = places.map((place) => ({ ...of(place.stacks), ...describePlace(place) }));
  return [
    ...described.filter(givesAccess),
    ...described.filter((one) => !givesAccess(one)),
    ...[...general.values()].map((all) => ({
      ...of(all[0]!.stacks),
      gains: {},
      loses: {},
      rules: [],
      not_counted: all.map(({ what, why }) => ({ what, why })),
      text: "",
    })),
  ];
}

/** Whether somebody gains something, or a rule asks for less: what a reviewer reads first. */
const givesAccess = ({ gains, rules }: ReportAccess): boolean =>
  Object.values(gains).some((names) => names.length > 0) ||
  rules.some(({ before, after }) => after === "off" || (typeof after === "number" && after < Number(before)));

function describePlace(place: AccessPlace): ReportAccess {
  const { container, target, abilities, rules, notCounted, changes = [] } = place;
  const names = (side: "gains" | "loses") =>
    Object.fromEntries([
      ...(target?.kind === "environment" ? ENVIRONMENT_ABILITIES : []).map((name) => [name, [] as string[]]),
      ...abilities.map((ability) => [ability.name, ability[side].map(nameOf)]),
    ]) as Record<string, string[]>;
  const notes = abilities
    .flatMap(({ gains, loses }) => [...gains, ...loses])
    .flatMap((holder) => (holder.note === undefined ? [] : [{ name: nameOf(holder), note: holder.note }]));
  return {
    [container.kind]: container.name,
    ...(target !== undefined && { [target.kind]: target.name }),
    gains: names("gains"),
    loses: names("loses"),
    ...(notes.length > 0 && { notes }),
    rules: rules.map(({ name, before, after }) => ({ name, before, after })),
    not_counted: notCounted.map(({ what, why }) => ({ what, why })),
    text: accessLine(place, quoted).text,
    ...(changes.length > 0 && { changes }),
  };
}

/** Listed for every environment, also where nobody gains or loses them. */
const ENVIRONMENT_ABILITIES = ["deploy", "approve"];

/** People by their name alone, others with their kind. */
const nameOf = ({ kind, name }: AccessHolder): string =>
  kind === "project" || kind === "group" ? `${kind} ${name}` : name;

/** The rights that the plan of a stack needs. */
export const rightsJson = ({ rights, notKnown }: RightsReport, stack: string | undefined): ReportRight[] => [
  ...rights.map(({ kind, name, at, has }) => ({
    ...(stack !== undefined && { stack }),
    [kind]: name,
    ...(at !== undefined && { [at.kind]: at.name }),
    has: has ?? null,
  })),
  ...notKnown.map(({ what, why }) => ({ ...(stack !== undefined && { stack }), not_known: what, why })),
];

/** The requests of an apply, each with its object; `not_known` has the reason why requests of an object are missing. */
export const requestsJson = (
  steps: readonly RehearsedStep[],
  stack: string | undefined,
): NonNullable<Report["requests"]> =>
  steps.flatMap(({ address, requests, why }) => {
    const named = { ...(stack !== undefined && { stack }), address };
    return [
      ...requests.map((request) => ({ ...named, ...request })),
      ...(why === undefined ? [] : [{ ...named, not_known: why }]),
    ];
  });
